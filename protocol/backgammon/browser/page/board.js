/** Board: the picture that the server draws, and fingers, mouse and keys on it. */

import { arrows, diceSpot, mirror, pile, placeOf, spot } from "./geometry.js";
import { travel } from "./motion.js";
import { Board as AnyBoard } from "./shared/board.js";
import { pace, settings } from "./shared/settings.js";
import { asButton, shape } from "./shared/shapes.js";
import { t } from "./shared/texts.js";

export class Board extends AnyBoard {
  /** wants: move(from, to), dice(), cube(), and place(name, event) while a board is set up. */
  constructor(holder, wants) {
    super(holder, wants, focusName, [".source", ".die[tabindex]"]);
    this.source = null;
    this.swapped = false;
    this.own = null;
    this.isSetUp = false;
    holder.addEventListener("contextmenu", (event) => this.other(event));
  }

  /** The seat by which points are numbered: the only person's, else the player's on roll, whose plays are told so. */
  static numberedFor(state) {
    const bottom = Number(Board.isTurned(state));
    return state.players.filter((each) => each.is_person).length === 1 ? bottom : state.turn ?? bottom;
  }

  /** Show a state, after its moves if there are any; one state after the other. */
  show(state) {
    const before = this.state;
    this.state = state;
    if (before?.version !== state.version) this.pointed = null;
    if (before?.turn !== state.turn || before?.dice?.join() !== state.dice?.join()) this.swapped = false;
    this.source = null;
    this.drag.letGo();
    const own = this.own;
    this.own = null;
    this.shown = this.shown.then(async () => {
      const isLate = this.state !== state;
      if (before && !isLate && !this.isSetUp) await this.animate(before, state, own);
      if (this.state === state && !this.isSetUp) this.draw();
    });
    return this.shown;
  }

  async animate(before, state, own) {
    const time = pace();
    const { svg } = this;
    const isNew = before.number !== state.number || before.result?.match_over;
    if (!time || !svg || isNew || document.hidden) return;
    const fresh = state.last && JSON.stringify(state.last) !== JSON.stringify(before.last);
    const legs = own?.isDragged ? [] : own ? [[own.from, own.to]]
      : fresh && this.differs(state) ? state.last.legs : [];
    for (const each of svg.querySelectorAll(".arrow, .targets")) each.remove();
    await travel(svg, legs, time);
  }

  /** Whether the checkers of a state lie in other places than those that are shown. */
  differs(state) {
    const next = parsed(state.svg);
    return [...next.querySelectorAll(".place")].some((each) => {
      const shown = placeOf(this.svg, each.dataset.place);
      return shown.dataset.count !== each.dataset.count || shown.dataset.seat !== each.dataset.seat;
    });
  }

  /** Draw the state: the server's picture, and on it what may be done. */
  draw() {
    const { state } = this;
    const held = this.focus.held();
    const svg = parsed(Board.isTurned(state) ? state.svg_flipped : state.svg);
    if (settings.home === "left") mirror(svg);
    if (Board.numberedFor(state) !== Number(Board.isTurned(state))) {
      for (const each of svg.querySelectorAll(".number")) each.textContent = 25 - each.textContent;
    }
    this.holder.replaceChildren(svg);
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", t("board.label"));
    if (this.isSetUp) return;
    if (this.swapped !== (settings.home === "left")) this.swapDice();
    this.offer();
    this.showArrows();
    this.focus.giveBack(held);
  }

  /** Mark what may be clicked. */
  offer() {
    const { state, svg } = this;
    this.holder.classList.toggle("movable", Object.keys(state.targets).length > 0);
    for (const place of Object.keys(state.targets)) {
      const group = placeOf(svg, place);
      group.classList.add("source");
      asButton(group, this.placeText(place));
    }
    const may = (name) => state.may.includes(name);
    if (may("roll")) this.drawUnrolled();
    if (state.is_complete && may("confirm")) {
      for (const die of svg.querySelectorAll(".die")) die.classList.add("wanted");
      asButton(svg.querySelector(".die"), t("do.confirm"));
    } else if (this.maySwap) asButton(svg.querySelector(".die"), t("do.swap"));
    const cube = svg.querySelector(".cube");
    if (cube && may("double")) {
      cube.classList.add("wanted");
      asButton(cube, t("do.double"));
    }
  }

  /** Dice that want to be thrown. */
  drawUnrolled() {
    const middle = diceSpot(this.svg);
    const group = shape("g", { class: "die wanted", "data-die": "" });
    group.append(shape("rect", { class: "hit", x: middle.x - 60, y: middle.y - 32, width: 120, height: 64 }));
    for (const side of [-1, 1]) {
      const x = middle.x + side * 27 - 22;
      group.append(shape("rect", { class: "face", x, y: middle.y - 22, width: 44, height: 44, rx: 7 }));
      const mark = shape("text", { class: "value", x: x + 22, y: middle.y + 9 });
      mark.textContent = "?";
      group.append(mark);
    }
    this.svg.append(group);
    asButton(group, t("do.roll"));
  }

  get maySwap() {
    const { asks, dice_left: left } = this.state;
    return asks === "play" && left.length === 2 && left[0] !== left[1];
  }

  /** Show the dice in the other order; the left one is played first. */
  swapDice() {
    const dice = [...this.svg.querySelectorAll(".die:not(.used)")];
    if (dice.length !== 2) return;
    const [left, right] = dice.map((die) => Number(die.querySelector(".face").getAttribute("x")));
    dice[0].setAttribute("transform", `translate(${right - left})`);
    dice[1].setAttribute("transform", `translate(${left - right})`);
  }

  /** Arrows of a play that is looked at, else of the last one until the next is begun. */
  showArrows() {
    if (this.pointed) {
      this.svg.append(...arrows(this.svg, this.pointed.legs, this.pointed.name, false));
      return;
    }
    const { last, asks, asked, may, result } = this.state;
    const isBegun = asks === "play" && may.includes("undo-turn");
    if (!settings.arrows || !last || isBegun || (result && !last.legs.length)) return;
    if (asks === "play" && last.seat === asked) return;
    this.svg.append(...arrows(this.svg, last.legs, `s${last.seat}`, true));
  }

  /** Arrows of a play that is looked at instead; none for the last play again. */
  point(legs, name) {
    if (!this.svg) return;
    for (const each of this.svg.querySelectorAll(".arrow")) each.remove();
    this.pointed = legs && { legs, name };
    this.showArrows();
  }

  placeText(place) {
    const { count } = pile(this.svg, place);
    const isNamed = /^(bar|off)/.test(place);
    const point = isNamed ? "" : Board.numberedFor(this.state) ? 25 - place : place;
    const name = isNamed ? t(`place.${place.slice(0, 3)}`) : t("place.point", { point });
    return `${name}, ${t("place.checkers", { n: count })}`;
  }

  click(event) {
    if (this.drag.endsByClick()) return;
    const place = event.target.closest(".place")?.dataset.place;
    if (this.isSetUp) {
      if (place) this.wants.place(place, event);
      return;
    }
    if (event.target.closest(".die")) this.clickDice();
    else if (event.target.closest(".cube")) this.wants.cube();
    else if (place) this.clickPlace(place);
    else this.choose(null);
  }

  clickDice() {
    if (this.state.may.includes("roll") || this.state.is_complete) this.wants.dice();
    else this.swap();
  }

  /** Play the other die first from now on. */
  swap() {
    if (!this.state || !this.maySwap) return;
    this.swapped = !this.swapped;
    this.draw();
  }

  clickPlace(place) {
    const targets = this.source && this.state.targets[this.source];
    if (targets?.some(({ to }) => to === place)) this.go(this.source, place);
    else if (place === this.source || (settings.click === "play" && place in this.state.targets)) {
      this.playDie(place);
    } else this.choose(place in this.state.targets ? place : null);
  }

  /** Click with the other button: play the other die. */
  other(event) {
    const place = event.target.closest(".place")?.dataset.place;
    if (this.isSetUp) {
      event.preventDefault();
      if (place) this.wants.place(place, event);
    } else if (place && this.state?.targets[place]) {
      event.preventDefault();
      this.playDie(place, true);
    }
  }

  /** Play a die with a checker of the place: the preferred one if that can be done. */
  playDie(place, isOther = false) {
    const left = [...this.state.dice_left];
    const order = this.swapped !== isOther ? left.reverse() : left;
    const single = this.state.targets[place].filter(({ dice }) => dice.length === 1);
    for (const die of order) {
      const target = single.find(({ dice }) => dice[0] === die);
      if (target) {
        this.go(place, target.to);
        return;
      }
    }
  }

  go(from, to, isDragged = false) {
    this.own = { from, to, isDragged };
    this.choose(null);
    this.wants.move(from, to);
  }

  /** Choose the place that a checker goes from, and show where it may go. */
  choose(place) {
    const { svg } = this;
    if (!svg) return;
    this.source = place;
    for (const each of svg.querySelectorAll(".selected")) each.classList.remove("selected");
    for (const each of svg.querySelectorAll(".place.target")) {
      each.classList.remove("target");
      if (!each.classList.contains("source")) {
        for (const name of ["tabindex", "role", "aria-label"]) each.removeAttribute(name);
      }
    }
    svg.querySelector(".targets")?.remove();
    if (!place) return;
    placeOf(svg, place).classList.add("selected");
    const group = shape("g", { class: "targets" });
    for (const { to, dice } of this.state.targets[place]) {
      const { count, seat } = pile(svg, to);
      const nth = seat === null || seat === pile(svg, place).seat ? Math.min(count, 4) : 0;
      const { x, y } = spot(svg, to, nth);
      const kind = dice.length > 1 ? "several" : "one";
      group.append(shape("circle", { class: `target ${kind}`, cx: x, cy: y, r: kind === "one" ? 13 : 9 }));
      placeOf(svg, to).classList.add("target");
      asButton(placeOf(svg, to), `${t("place.to")} ${this.placeText(to)}`);
    }
    svg.append(group);
  }

  key(event) {
    const { target } = event;
    if (!["Enter", " "].includes(event.key) && !(this.isSetUp && event.key === "-")) return;
    if (!target.closest(".place, .die, .cube")) return;
    event.preventDefault();
    event.stopPropagation();
    this.drag.wasDragged = false; // that is about the click which a drag ends with
    this.focus.press(target);
    if (!event.repeat || this.isSetUp) this.click(event);
  }

  from(target) {
    const place = target.closest(".place")?.dataset.place;
    return !this.isSetUp && this.state?.targets[place] ? place : null;
  }

  lift(place) {
    this.choose(place);
    const checkers = placeOf(this.svg, place).querySelectorAll(".checker");
    return [checkers[checkers.length - 1], shape("circle", { class: `checker s${pile(this.svg, place).seat}`, r: 27 })];
  }

  drop(from, to) {
    if (this.state.targets[from]?.some((each) => each.to === to)) this.go(from, to, true);
    else this.choose(null);
  }
}

function parsed(text) {
  const found = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return document.importNode(found, true);
}

/** A selector that finds what has the focus again when the board was drawn anew. */
function focusName(element) {
  const { place } = element?.closest?.(".place")?.dataset ?? {};
  if (place) return `[data-place="${place}"]`;
  if (element?.closest?.(".die")) return ".die[tabindex]";
  return element?.closest?.(".cube") ? ".cube" : null;
}
