/** Board: what the boards of all games have: a picture, and fingers, mouse and keys on it. */

import { BoardFocus } from "./board_focus.js";
import { Drag } from "./drag.js";
import { settings } from "./settings.js";

export class Board {
  /** A game's board has click(event), key(event), and what Drag wants; nameOf, next: see BoardFocus. */
  constructor(holder, wants, nameOf, next) {
    Object.assign(this, { holder, wants, state: null, pointed: null, shown: Promise.resolve() });
    this.focus = new BoardFocus(holder, nameOf, next);
    this.drag = new Drag(holder, this);
    holder.addEventListener("click", (event) => this.click(event));
    holder.addEventListener("keydown", (event) => this.key(event));
  }

  get svg() {
    return this.holder.querySelector("svg.board");
  }

  /** Whether seat 1 sits at the bottom. */
  static isTurned(state) {
    const [first, second] = state.players;
    return settings.flip !== (second.is_person && !first.is_person);
  }
}
