/** Board: squares and pieces, and fingers, mouse and keys on them. Legal moves come from the server. */

import { CELL, centreOf, cornerOf, letteredName, pieceShape, viewOf } from "./geometry.js";
import { areLetters, squareText } from "./names.js";
import { Board as AnyBoard } from "./shared/board.js";
import { pace, settings } from "./shared/settings.js";
import { arrow, asButton, shape } from "./shared/shapes.js";
import { t } from "./shared/texts.js";

export class Board extends AnyBoard {
  /** wants: move(n) by the number of a legal move, ask(sentence). */
  constructor(holder, wants) {
    super(holder, wants, focusName, [".source"]);
    this.chosen = null;
    this.isDropped = false;
  }

  /** Show a state, after its last move if that is new; one state after the other. */
  show(state) {
    const before = this.state;
    this.state = state;
    this.chosen = this.pointed = null;
    this.drag.letGo();
    this.shown = this.shown.then(async () => {
      if (before && this.state === state) await this.animate(before, state);
      if (this.state === state) this.draw();
    });
    return this.shown;
  }

  async animate(before, state) {
    const time = pace();
    const isNext = before.variant === state.variant && before.line.length + 1 === state.line.length;
    const { isDropped } = this;
    this.isDropped = false;
    if (!time || !isNext || isDropped || document.hidden || !this.svg) return;
    const { from, way, captured } = state.last;
    const piece = this.placed(from)?.querySelector(".piece");
    if (!piece) return;
    for (const each of this.svg.querySelectorAll(".arrow, .mark")) each.remove();
    this.svg.append(piece);
    const frames = [from, ...way].map((square) => {
      const { x, y } = this.centre(square);
      return { transform: `translate(${x}px, ${y}px)` };
    });
    const motion = piece.animate(frames, { duration: time * way.length, easing: "ease-in-out", fill: "forwards" });
    await motion.finished.catch(() => {});
    for (const square of captured) this.placed(square)?.querySelector(".piece")?.remove();
  }

  placed(square) {
    return this.svg.querySelector(`[data-place="${square}"]`);
  }

  centre(square) {
    return centreOf(square, this.view);
  }

  /** Draw the state, and on it what may be done. */
  draw() {
    const { state } = this;
    const held = this.focus.held();
    this.view = viewOf(state.rows, Board.isTurned(state), settings.numbers && areLetters(state));
    const { size, edge } = this.view;
    const svg = shape("svg", { class: "board", viewBox: `0 0 ${size} ${size}`, role: "group", "aria-label": t("board.label") });
    svg.append(
      shape("rect", { class: "frame", width: size, height: size, rx: 14 }),
      shape("rect", { class: "light", x: edge, y: edge, width: size - 2 * edge, height: size - 2 * edge }),
      ...this.edgeNames(),
    );
    const pieces = new Map(state.pieces.map((piece) => [piece.at, piece]));
    for (let square = 1; square <= (state.rows * state.rows) / 2; square++) svg.append(this.square(square, pieces.get(square)));
    this.holder.replaceChildren(svg);
    this.offer();
    this.mark();
    this.focus.giveBack(held);
  }

  square(square, piece) {
    const { x, y } = cornerOf(square, this.view);
    const group = shape("g", { class: "place", "data-place": square });
    group.append(
      shape("rect", { class: "dark", x, y, width: CELL, height: CELL }),
      shape("rect", { class: "hit", x: x + 3, y: y + 3, width: CELL - 6, height: CELL - 6 }),
    );
    if (settings.numbers && !areLetters(this.state)) {
      const number = shape("text", { class: "number", x: x + 4, y: y + 15 });
      number.textContent = square;
      group.append(number);
    }
    if (piece) {
      group.dataset.seat = piece.seat;
      group.dataset.king = piece.king;
      group.append(pieceShape(piece, { x: x + CELL / 2, y: y + CELL / 2 }));
    }
    return group;
  }

  /** Letters and numbers along the edges. */
  edgeNames() {
    const { rows, isTurned, isNamed, edge, size } = this.view;
    if (!isNamed) return [];
    return Array.from({ length: rows }, (_, n) => {
      const at = edge + CELL * (n + 0.5);
      const nth = isTurned ? rows - 1 - n : n;
      const letter = shape("text", { class: "edge", x: at, y: size - 10 });
      letter.textContent = String.fromCharCode(97 + nth);
      const number = shape("text", { class: "edge", x: edge / 2, y: at + 7 });
      number.textContent = rows - nth;
      return [letter, number];
    }).flat();
  }

  /** Mark the pieces that may move. */
  offer() {
    const { moves } = this.state;
    this.holder.classList.toggle("movable", moves.length > 0);
    for (const from of new Set(moves.map((move) => move.from))) {
      const place = this.placed(from);
      place.classList.add("source");
      asButton(place, this.placeText(from));
    }
  }

  placeText(square) {
    const { seat, king } = this.placed(square).dataset;
    const name = squareText(this.state, letteredName(square, this.state.rows), square);
    return seat === undefined ? name : `${name}, ${t(`piece.${king === "true" ? "king" : "man"}${seat}`)}`;
  }

  /** Arrows of a move that is looked at, else of the last one. */
  showArrows() {
    for (const each of this.svg.querySelectorAll(".arrow, .mark")) each.remove();
    const { last } = this.state;
    if (this.pointed) this.showWay(this.pointed, "pointed");
    else if (settings.arrows && last && !this.chosen) this.showWay(last, `s${last.seat}`);
  }

  /** A move as arrows from square to square; what it captures is crossed out. */
  showWay({ from, way, captured }, name) {
    const points = [from, ...way].map((square) => this.centre(square));
    const arrows = points.slice(1).map((point, nth) => arrow(points[nth], point, name));
    const marks = captured.map((square) => {
      const { x, y } = this.centre(square);
      return shape("path", { class: "mark", d: `M${x - 18} ${y - 18}L${x + 18} ${y + 18}M${x + 18} ${y - 18}L${x - 18} ${y + 18}` });
    });
    this.svg.append(...arrows, ...marks); // as each arrow lies along one stroke of a mark
  }

  /** Look at a move; null for none. */
  point(move) {
    this.pointed = move;
    if (this.svg) this.showArrows();
  }

  /** Choose the square that a piece goes from; null for none. */
  choose(from) {
    const moves = this.state?.moves.filter((move) => move.from === from) ?? [];
    this.chosen = moves.length ? { from, moves, passed: [], isEndKnown: false } : null;
    this.pointed = null;
    this.mark();
  }

  /** Mark what is chosen and where it may go; nothing is drawn anew, as a finger may hold a piece. */
  mark() {
    if (!this.svg) return;
    for (const each of this.svg.querySelectorAll(".selected, .target, .spot")) {
      each.classList.remove("selected", "target");
      if (each.matches(".spot")) each.remove();
      else if (each.matches(".source")) asButton(each, this.placeText(each.dataset.place));
      else for (const name of ["tabindex", "role", "aria-label"]) each.removeAttribute(name);
    }
    if (this.chosen) this.showTargets();
    this.showArrows();
  }

  /** Squares that tell the chosen moves apart: their ends, and those between. */
  targets() {
    const { moves, passed, isEndKnown } = this.chosen;
    const between = new Set(moves.flatMap(({ way }) => way.slice(0, -1)));
    const ends = new Set(isEndKnown ? [] : moves.map(({ to }) => to));
    if (isEndKnown) {
      for (const square of [...between]) if (moves.every(({ way }) => way.includes(square))) between.delete(square);
    }
    for (const square of [...passed, ...ends]) between.delete(square);
    return { ends, between };
  }

  showTargets() {
    const { ends, between } = this.targets();
    this.placed(this.chosen.from).classList.add("selected");
    for (const square of [...ends, ...between]) {
      const { x, y } = this.centre(square);
      const isEnd = ends.has(square);
      this.placed(square).classList.add("target");
      asButton(this.placed(square), `${t("place.to")} ${this.placeText(square)}`);
      this.svg.append(shape("circle", { class: `spot ${isEnd ? "end" : "between"}`, cx: x, cy: y, r: isEnd ? 14 : 9 }));
    }
  }

  /** Take a click on a square: a piece that moves, or where it goes. */
  take(square) {
    const { chosen } = this;
    const { ends, between } = chosen ? this.targets() : { ends: new Set(), between: new Set() };
    if (!ends.has(square) && !between.has(square)) {
      this.choose(square === chosen?.from ? null : square);
      return;
    }
    const isEnd = ends.has(square);
    const moves = chosen.moves.filter(({ to, way }) => (isEnd ? to === square : way.includes(square)));
    if (moves.length === 1) {
      const n = this.state.moves.indexOf(moves[0]);
      this.choose(null);
      this.wants.move(n);
      return;
    }
    this.chosen = { ...chosen, moves, passed: [...chosen.passed, square], isEndKnown: chosen.isEndKnown || isEnd };
    this.mark();
    const left = this.targets();
    this.wants.ask(t(left.ends.size + left.between.size ? "board.between" : "board.list"));
  }

  click(event) {
    if (this.drag.endsByClick() || !this.state) return;
    const place = event.target.closest(".place")?.dataset.place;
    if (place) this.take(Number(place));
    else this.choose(null);
  }

  key(event) {
    if (!["Enter", " "].includes(event.key) || !event.target.closest(".place")) return;
    event.preventDefault();
    event.stopPropagation();
    this.drag.wasDragged = false; // that is about the click which a drag ends with
    this.focus.press(event.target);
    if (!event.repeat) this.click(event);
  }

  from(target) {
    return target.closest(".place.source")?.dataset.place;
  }

  lift(place) {
    const square = Number(place);
    this.choose(square);
    const piece = this.placed(square).querySelector(".piece");
    return [piece, piece.cloneNode(true)];
  }

  drop(_, to) {
    const square = Number(to);
    this.isDropped = Boolean(this.chosen && this.targets().ends.has(square));
    if (this.isDropped) this.take(square);
    else this.choose(null);
  }
}

/** A selector that finds the square which has the focus again when the board was drawn anew. */
function focusName(element) {
  const { place } = element?.closest?.(".place")?.dataset ?? {};
  return place ? `[data-place="${place}"]` : null;
}
