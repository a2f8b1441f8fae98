/** Motion: checkers on their way, one leg after the other. */

import { pile, placeOf, spot } from "./geometry.js";

/** The topmost checker of a place with its marks, as it is drawn. */
function topmost(svg, place) {
  const group = placeOf(svg, place);
  const checkers = group.querySelectorAll(".checker, rect.off");
  const top = checkers[checkers.length - 1];
  if (!top) return [];
  const parts = [top];
  for (let next = top.nextElementSibling; next; next = next.nextElementSibling) {
    if (next.matches(".mark, .count")) parts.push(next);
  }
  return parts;
}

const centre = (part) => {
  const { x, y, width, height } = part.getBBox();
  return { x: x + width / 2, y: y + height / 2 };
};

/** Move checkers of a board that will be replaced by the next one; all legs in so many ms each. */
export async function travel(svg, legs, pace) {
  for (const [from, to] of legs) {
    const parts = topmost(svg, from);
    if (!parts.length || !svg.isConnected) return;
    const here = pile(svg, from);
    const there = pile(svg, to);
    const isHit = there.count === 1 && there.seat !== null && there.seat !== here.seat;
    const moves = [go(svg, parts, from, to, isHit ? 0 : there.count, here.seat, pace)];
    if (isHit) {
      const bar = `bar${there.seat}`;
      moves.push(go(svg, topmost(svg, to), to, bar, pile(svg, bar).count, there.seat, pace));
    }
    await Promise.all(moves);
  }
}

async function go(svg, parts, from, to, nth, seat, pace) {
  const start = centre(parts[0]);
  const end = spot(svg, to, Math.min(nth, 4));
  const group = placeOf(svg, to);
  placeOf(svg, from).dataset.count = pile(svg, from).count - 1;
  group.dataset.count = nth + 1;
  group.dataset.seat = seat;
  svg.append(...parts);
  const frames = [
    { transform: getComputedStyle(parts[0]).transform },
    { transform: `translate(${end.x - start.x}px, ${end.y - start.y}px)` },
  ];
  const settings = { duration: pace, easing: "ease-in-out", fill: "forwards" };
  const all = parts.map((part) => part.animate(frames, settings));
  await Promise.all(all.map((each) => each.finished.catch(() => {})));
  for (const part of parts) {
    part.setAttribute("transform", `translate(${end.x - start.x} ${end.y - start.y})`);
    group.append(part);
  }
  for (const each of all) each.cancel();
}
