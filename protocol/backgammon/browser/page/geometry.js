/** Geometry: where checkers lie on a board that the server drew, and shapes put on it. */

import { arrow, shape } from "./shared/shapes.js";

const RADIUS = 25;
const APART = 51;
const STACK = 5;
const TRAY = 19;

export const placeOf = (svg, place) => svg.querySelector(`[data-place="${place}"]`);

/** How many checkers lie there, and whose they are. */
export function pile(svg, place) {
  const { count, seat } = placeOf(svg, place).dataset;
  return { count: Number(count), seat: seat === undefined ? null : Number(seat) };
}

const box = (rect) =>
  Object.fromEntries(["x", "y", "width", "height"].map((key) => [key, Number(rect.getAttribute(key))]));

/** The centre of the nth checker of a place, counted from 0, which has so many in all. */
export function spot(svg, place, nth, count = nth + 1) {
  const hit = box(placeOf(svg, place).querySelector(".hit"));
  const x = hit.x + hit.width / 2;
  const isLow = hit.y + hit.height / 2 > svg.viewBox.baseVal.height / 2;
  const bottom = hit.y + hit.height;
  if (place.startsWith("off")) {
    return { x, y: isLow ? bottom - 16 - TRAY * nth : hit.y + 16 + TRAY * nth };
  }
  const apart = count > STACK ? (APART * (STACK - 1)) / (count - 1) : APART;
  if (place.startsWith("bar")) {
    const depth = hit.width / 2 + RADIUS + 2 + apart * nth;
    return { x, y: isLow ? hit.y + depth : bottom - depth };
  }
  const depth = RADIUS + 2 + apart * nth;
  return { x, y: isLow ? bottom - depth : hit.y + depth };
}

/** A place for the middle of two dice of the seat, seen as the board is. */
export function diceSpot(svg) {
  const fields = [...svg.querySelectorAll("rect.field")].map(box);
  const right = fields.reduce((one, other) => (other.x > one.x ? other : one));
  return { x: right.x + right.width / 2, y: right.y + right.height / 2 };
}

/** Turn left and right of a board round: the homes are then on the left. */
export function mirror(svg) {
  const { width } = svg.viewBox.baseVal;
  for (const each of svg.querySelectorAll("*")) {
    if (each.hasAttribute("cx")) each.setAttribute("cx", width - each.getAttribute("cx"));
    else if (each.tagName === "rect") {
      each.setAttribute("x", width - each.getAttribute("x") - each.getAttribute("width"));
    } else if (each.hasAttribute("x")) each.setAttribute("x", width - each.getAttribute("x"));
    else if (each.hasAttribute("d")) {
      const turned = each.getAttribute("d").replace(/([ML])([\d.]+)/g, (_, way, x) => way + (width - x));
      each.setAttribute("d", turned);
    }
  }
}

/** Arrows for legs that were played, or are still to be; a checker goes on from where its last one ends. */
export function arrows(svg, legs, name, isPlayed) {
  const seen = {};
  let last = null;
  const take = (place, step) => {
    seen[place] ??= 0;
    return (seen[place] += step) - step;
  };
  return legs.map(([from, to]) => {
    const [here, there] = [pile(svg, from), pile(svg, to)];
    const goesOn = last?.to === from;
    const before = take(from, goesOn ? -1 : 1);
    const start = isPlayed ? here.count + before : here.count - 1 - before;
    const { seat, end: begin } = goesOn ? last : { seat: here.seat, end: spot(svg, from, clip(from, start)) };
    const held = there.seat === null || there.seat === seat || isPlayed ? there.count : 0;
    const nth = isPlayed ? held - 1 - take(to, 1) : held + take(to, 1);
    last = { to, seat, end: spot(svg, to, clip(to, nth)) };
    return arrow(begin, last.end, name);
  });
}

/** What is off lies beside each other, so that the nth is seen however many there are. */
const clip = (place, nth) => Math.max(0, place.startsWith("off") ? nth : Math.min(STACK - 1, nth));

/** Draw so many checkers of a seat on a place, for boards that are set up by hand. */
export function stack(svg, place, count, seat) {
  const group = placeOf(svg, place);
  for (const each of group.querySelectorAll(".checker, .mark, .count, rect.off")) each.remove();
  group.dataset.count = count;
  if (count) group.dataset.seat = seat;
  else delete group.dataset.seat;
  for (let nth = 0; nth < count; nth++) {
    const { x, y } = spot(svg, place, nth, count);
    if (place.startsWith("off")) {
      group.append(shape("rect", { class: `off s${seat}`, x: x - 24, y: y - 8, width: 48, height: 16 }));
      continue;
    }
    group.append(shape("circle", { class: `checker s${seat}`, cx: x, cy: y, r: RADIUS }));
    if (seat) group.append(shape("circle", { class: "mark", cx: x, cy: y, r: RADIUS - 9 }));
    if (nth === count - 1 && count > STACK) {
      const text = shape("text", { class: `count s${seat}`, x, y: y + 7 });
      text.textContent = count;
      group.append(text);
    }
  }
}
