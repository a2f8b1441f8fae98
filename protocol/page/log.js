/** Log: what has happened at a table, shown, and said to those who do not see it. */

import { element } from "./elements.js";

export class Log {
  /** text(state, entry): an entry of the log as a sentence. */
  constructor(text) {
    this.text = text;
    this.rows = document.getElementById("log-rows");
    this.live = document.getElementById("live");
    this.said = null;
    this.fresh = [];
  }

  show(state) {
    this.state = state;
    const rows = state.log.map((each) =>
      element("li", { class: each.seat === null ? null : `s${each.seat}`, "data-say": each.say }, this.text(state, each)));
    this.rows.replaceChildren(...rows.reverse());
    this.speak();
  }

  /** Say in the live region what is new. */
  speak() {
    const { log } = this.state;
    const last = log.length ? log[log.length - 1].n : 0;
    if (last < this.said) this.said = 0;
    const fresh = this.said === null ? [] : log.filter(({ n }) => n > this.said);
    this.said = last;
    if (!fresh.length) return;
    this.fresh = fresh;
    this.sayAgain();
  }

  /** Say once more what was said last: in the language chosen by now. */
  sayAgain() {
    this.live.textContent = this.fresh.map((each) => this.text(this.state, each)).join(" ");
  }
}
