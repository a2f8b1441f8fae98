/** Geometry: where squares lie on a board of draughts, and the shapes of pieces. */

import { shape } from "./shared/shapes.js";

export const CELL = 80;
const EDGE = 14;
const NAMED_EDGE = 34;
const RADIUS = 31;
const CROWN = "M-17 11 L-19 -9 L-9 0 L0 -15 L9 0 L19 -9 L17 11 Z";

/** How a board is seen: rows, whether from Black's side, and whether its edges have letters. */
export const viewOf = (rows, isTurned, isNamed) => {
  const edge = isNamed ? NAMED_EDGE : EDGE;
  return { rows, isTurned, isNamed, edge, size: rows * CELL + 2 * edge };
};

/** Row and column of a square, from 0, top left, seen by White. */
function placeOf(square, rows) {
  const row = Math.floor((square - 1) / (rows / 2));
  return { row, column: 2 * ((square - 1) % (rows / 2)) + 1 - (row % 2) };
}

/** The upper left corner of a square as it is seen. */
export function cornerOf(square, { rows, isTurned, edge }) {
  const { row, column } = placeOf(square, rows);
  const at = (n) => edge + CELL * (isTurned ? rows - 1 - n : n);
  return { x: at(column), y: at(row) };
}

export function centreOf(square, view) {
  const { x, y } = cornerOf(square, view);
  return { x: x + CELL / 2, y: y + CELL / 2 };
}

/** The square by column and row, as in chess. */
export function letteredName(square, rows) {
  const { row, column } = placeOf(square, rows);
  return `${String.fromCharCode(97 + column)}${rows - row}`;
}

/** A piece at a point: Black's have a ring, kings a crown and a second disc. */
export function pieceShape({ seat, king }, { x, y }) {
  const group = shape("g", { class: `piece s${seat}${king ? " king" : ""}` });
  const parts = (king ? [5, -3] : [0]).map((cy) => shape("circle", { class: "disc", r: RADIUS, cy }));
  if (seat) parts.push(shape("circle", { class: "ring", r: RADIUS - 7, cy: king ? -3 : 0 }));
  if (king) parts.push(shape("path", { class: "crown", d: CROWN, transform: "translate(0 -3)" }));
  group.append(...parts);
  group.setAttribute("transform", `translate(${x} ${y})`);
  return group;
}
