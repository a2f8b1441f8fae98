/** Panel: legal moves, hints, the game and what has happened, beside the board. */

import { promptOf } from "./actions.js";
import { logText, moveText, nameOf, scoreText } from "./names.js";
import { element, table } from "./shared/elements.js";
import { Hints } from "./shared/hints.js";
import { Log } from "./shared/log.js";
import { t } from "./shared/texts.js";

const $ = (id) => document.getElementById(id);
const HINTED = 5;

export class Panel extends Hints {
  /** wants: look(move) while it is pointed at, null for none; choose(move), play(move). */
  constructor(wants) {
    super();
    this.wants = wants;
    this.chosen = null;
    this.log = new Log(logText);
  }

  show(state) {
    this.state = state;
    this.chosen = null;
    if (this.hinted?.version !== state.version) this.forgetHint();
    else this.showHint(this.hinted);
    this.showMoves();
    this.showLine();
    this.log.show(state);
    $("text-board").querySelector("pre").textContent = this.boardText();
  }

  showMoves() {
    const { moves } = this.state;
    $("moves").hidden = !moves.length;
    $("moves-count").textContent = moves.length ? `${moves.length}` : "";
    $("moves-rows").replaceChildren(...moves.map((move, n) => element("li", {}, this.moveButton({ ...move, n }, "list"))));
  }

  /** A button for a move: the first press shows it, the second plays it if it is legal now. */
  moveButton(move, name) {
    const id = `${name}:${move.numbers}`;
    return element("button", {
      type: "button", class: "play", "data-move": move.numbers, "data-id": id, "aria-pressed": "false",
      onpointerenter: (event) => event.pointerType === "mouse" && this.wants.look(move),
      onpointerleave: (event) => event.pointerType === "mouse" && this.wants.look(null),
      onclick: () => {
        if (this.chosen === id && move.n !== undefined) this.wants.play(move);
        else this.choose(id, move);
      },
    }, moveText(this.state, move));
  }

  choose(id, move) {
    this.chosen = this.chosen === id ? null : id;
    for (const each of document.querySelectorAll("button.play")) each.setAttribute("aria-pressed", `${each.dataset.id === this.chosen}`);
    this.wants.choose(this.chosen ? move : null);
  }

  showLine() {
    const { line, begins } = this.state;
    const texts = line.map((move) => moveText(this.state, move));
    const shown = begins ? ["…", ...texts] : texts;
    const rows = [];
    for (let n = 0; n < shown.length; n += 2) {
      rows.push(element("li", {}, element("b", {}, `${n / 2 + 1}.`), ` ${shown[n]} ${shown[n + 1] ?? ""}`));
    }
    $("line").hidden = !rows.length;
    $("line-rows").replaceChildren(...rows);
    $("line-rows").scrollTop = $("line-rows").scrollHeight;
    $("clocks").textContent = this.state.clocks.map(({ ending, plies, limit }) => t("clock", { ending: t(`ending.${ending}`), plies, limit })).join(" · ");
  }

  hintRows(hint) {
    const { moves } = this.state;
    const rows = hint.rows.slice(0, HINTED).map((row) => {
      const n = moves.findIndex(({ numbers }) => numbers === row.numbers);
      const line = row.line.slice(1, 6).map((move) => moveText(this.state, move)).join(" ");
      return { cells: [this.moveButton({ ...row, n: n < 0 ? undefined : n }, "hint"), scoreText(row.score), `${row.depth ?? "–"}`, line] };
    });
    const titles = ["move", "score", "depth", "line"].map((key) => [t(`hint.${key}`)]);
    return table(titles, rows, { class: "figures" });
  }

  /** The board in letters, with the players and what is asked. */
  boardText() {
    const { state } = this;
    const [white, black] = [0, 1].map((seat) => `${"ox"[seat]} ${"OX"[seat]}  ${t(`side.${seat}`)}: ${nameOf(state, seat)}`);
    return [black, "", ...state.text_board, "", white, promptOf(state), state.fen].join("\n");
  }
}
