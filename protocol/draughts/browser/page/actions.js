/** Actions: what is asked of the person, and the buttons that answer it. */

import { about, moveText, nameOf, resultText } from "./names.js";
import { Buttons } from "./shared/buttons.js";
import { element, keyButton } from "./shared/elements.js";
import { t } from "./shared/texts.js";

const KEYS = { again: "Enter", step: "Enter", go: "p", pause: "p", stop: "x", undo: "u", draw: "d", resign: "r" };
const PRIMARY = ["again", "step"];

export class Actions extends Buttons {
  /** wants: act(name), resign(), play(move) one that is looked at. */
  constructor(wants) {
    super(KEYS, PRIMARY, ["resign", "draw"]);
    this.wants = wants;
    this.pointed = null;
  }

  show(state, pointed = null) {
    this.pointed = pointed;
    this.bar.dataset.asks = state.asks;
    this.bar.classList.toggle("own", state.asks === "move");
    const names = Object.keys(KEYS).filter((name) => state.may.includes(name) || (name === "undo" && state.asks === "move"));
    const buttons = this.made(names, state.may, (name) => (name === "resign" ? this.wants.resign() : this.wants.act(name)));
    if (pointed?.n !== undefined) {
      buttons.unshift(keyButton(t("do.move", { text: moveText(state, pointed) }), "Enter", () => this.wants.play(pointed), { "data-do": "move", class: "primary" }));
    }
    this.fill(promptOf(state), buttons);
  }
}

/** What is asked, as a sentence. */
export function promptOf(state) {
  const { asks, turn, moves } = state;
  if (asks === "next") return resultText(state);
  if (asks === "move") return about(state, turn, moves[0]?.captured.length ? "ask.capture" : "ask.move");
  return about(state, turn, `ask.${asks}`);
}

/** The strip with a player's name and pieces. */
export function seatStrip(holder, state, seat) {
  const { men, kings } = state.players[seat];
  holder.replaceChildren(
    element("span", { class: `sign s${seat}`, "aria-hidden": "true" }),
    element("strong", {}, nameOf(state, seat)),
    element("span", { class: "side" }, t(`side.${seat}`)),
    element("span", { class: "score" }, [t("men", { n: men }), ...(kings ? [t("kings", { n: kings })] : [])].join(", ")),
  );
  holder.classList.toggle("on-roll", state.turn === seat);
}
