/** Editor: a position set up by hand on the board. */

import { choice, element, field, keyButton } from "./shared/elements.js";
import { stack } from "./geometry.js";
import { nameOf } from "./names.js";
import { asButton } from "./shared/shapes.js";
import { t } from "./shared/texts.js";

const CHECKERS = 15;
const START = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0];
/** In place of a seat: checkers are removed, for fingers that have neither another button nor Shift. */
const NOBODY = 2;
const CUBES = Array.from({ length: 13 }, (_, nth) => 2 ** nth);

export class Editor {
  /** wants: act(name, more) -> whether it was done, redraw(), say(sentence). */
  constructor(board, wants) {
    this.board = board;
    this.wants = wants;
    this.box = document.getElementById("editor");
  }

  open(state) {
    this.state = state;
    this.points = [...state.points];
    this.seat = 0;
    this.board.isSetUp = true;
    this.board.choose(null);
    this.board.draw(); // in place of a board whose checkers are on their way
    document.body.classList.add("setting-up");
    this.show();
    this.draw();
    this.box.scrollIntoView({ block: "nearest" });
    this.box.querySelector("button")?.focus();
  }

  show() {
    const { state } = this;
    const names = [0, 1].map((seat) => [seat, nameOf(state, seat)]);
    const dice = [["", "–"], ...[1, 2, 3, 4, 5, 6].map((each) => [each, each])];
    const sign = (seat) => (seat === NOBODY ? null : element("i", { class: `sign s${seat}`, "aria-hidden": "true" }));
    this.colour = [...names, [NOBODY, t("editor.remove")]].map(([seat, name]) =>
      element("button", { type: "button", "aria-pressed": `${seat === this.seat}`, "data-seat": seat, onclick: () => this.take(seat) }, sign(seat), name));
    this.turn = choice(names, state.turn ?? 0);
    this.dice = [0, 1].map((nth) => choice(dice, state.dice?.[nth] ?? "", { "aria-label": t("editor.die", { n: nth + 1 }) }));
    this.cube = choice(CUBES.map((each) => [each, each]), state.cube?.value || 1);
    this.owner = choice([["", t("editor.middle")], ...names], state.cube?.owner ?? "");
    this.note = element("p", { class: "faint", role: "status" });
    this.box.replaceChildren(
      element("h2", {}, t("editor.title")), element("p", { class: "faint" }, t("editor.text")),
      element("div", { class: "pair" }, this.colour),
      element("div", { class: "pair" },
        element("button", { type: "button", onclick: () => this.set(START.slice()) }, t("editor.start")),
        element("button", { type: "button", onclick: () => this.set(Array(26).fill(0)) }, t("editor.empty"))),
      element("div", { class: "grid" },
        field(t("editor.on_roll"), this.turn), field(t("editor.dice"), element("span", { class: "pair" }, this.dice)),
        state.cube_used ? [field(t("editor.cube"), this.cube), field(t("editor.owner"), this.owner)] : null),
      this.note,
      element("div", { class: "pair" },
        keyButton(t("editor.done"), "", () => this.finish(), { class: "primary", "data-do": "edited" }),
        keyButton(t("editor.cancel"), "Escape", () => this.close(), { "data-do": "cancel-edit" })));
    this.box.hidden = false;
  }

  /** Show it in the language chosen by now, with all that was chosen in it. */
  speakAgain() {
    if (!this.board.isSetUp) return;
    const inputs = () => [this.turn, ...this.dice, this.cube, this.owner];
    const chosen = inputs().map((each) => each.value);
    this.show();
    for (const [nth, each] of inputs().entries()) each.value = chosen[nth];
    this.draw();
  }

  take(seat) {
    this.seat = seat;
    for (const each of this.colour) each.setAttribute("aria-pressed", `${Number(each.dataset.seat) === seat}`);
  }

  set(points) {
    this.points = points;
    this.draw();
  }

  /** Put a checker on a place, or take one off by the other button or by minus. */
  place(name, event) {
    if (name.startsWith("off")) return;
    const index = name === "bar0" ? 25 : name === "bar1" ? 0 : Number(name);
    const seat = name.startsWith("bar") ? Number(name[3]) : this.seat;
    const sign = seat ? -1 : 1;
    const isAway = this.seat === NOBODY || event.type === "contextmenu" || event.shiftKey || event.key === "-";
    const now = this.points[index];
    if (isAway) this.points[index] -= Math.sign(now);
    else if (this.left(seat) > 0) this.points[index] = now * sign < 0 ? sign : now + sign;
    this.draw();
  }

  left(seat) {
    const own = this.points.map((each) => (seat ? -each : each));
    return CHECKERS - own.reduce((sum, each) => sum + Math.max(0, each), 0);
  }

  draw() {
    const { svg } = this.board;
    svg.setAttribute("aria-label", t("board.label"));
    for (const each of svg.querySelectorAll(".die, .arrow, .targets, .cube")) each.remove();
    for (const [index, count] of this.points.entries()) {
      const name = index === 25 ? "bar0" : index === 0 ? "bar1" : `${index}`;
      stack(svg, name, Math.abs(count), Number(count < 0));
    }
    for (const seat of [0, 1]) stack(svg, `off${seat}`, this.left(seat), seat);
    for (const each of svg.querySelectorAll(".place")) {
      const place = each.dataset.place;
      each.classList.remove("source", "target", "selected");
      if (place.startsWith("off")) continue;
      asButton(each, this.board.placeText(place));
    }
    this.note.textContent = [0, 1].map((seat) => t("editor.off", { who: nameOf(this.state, seat), n: this.left(seat) })).join(" · ");
  }

  async finish() {
    const dice = this.dice.map((each) => Number(each.value));
    if (dice.some(Boolean) && !dice.every(Boolean)) {
      this.wants.say(t("editor.one_die"));
      return;
    }
    const isDone = await this.wants.act("edit", {
      points: this.points,
      on_roll: Number(this.turn.value),
      dice: dice.every(Boolean) ? dice : null,
      cube: { value: Number(this.cube.value), owner: this.owner.value === "" ? null : Number(this.owner.value) },
    });
    if (isDone) this.close();
  }

  close() {
    this.board.isSetUp = false;
    this.box.hidden = true;
    document.body.classList.remove("setting-up");
    this.wants.redraw();
  }
}
