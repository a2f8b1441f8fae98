/** Text board: the board in letters, with all that the page shows around it in words. */

import { matchText, pointsOf, promptOf } from "./actions.js";
import { nameOf } from "./names.js";
import { t } from "./shared/texts.js";

/** The letters of the seats. */
const LETTERS = ["X", "O"];

/** The board with its players, what is asked, and where the checkers are, from the upper edge down. */
export function boardText(state) {
  const rows = state.text_board.map((row) => row.replace("BAR", t("notation.bar").toUpperCase().padEnd(3).slice(0, 3)));
  const { cube, cube_used: isUsed, dice } = state;
  const middle = isUsed && cube.owner === null && !state.result ? [t("cube.middle")] : [];
  const asked = promptOf(state);
  const rolled = dice && !asked.includes(dice.join("-")) ? [dice.join("-")] : [];
  return [
    [matchText(state), ...middle].join(" · "), playerText(state, 1), ...rows, playerText(state, 0), "",
    placesText(state, 1), placesText(state, 0), "", [...rolled, asked].join(" · "), "", state.id, state.xgid,
  ].join("\n").trimEnd();
}

/** A player's line: the letter of the checkers, the pips, the points and the cube. */
function playerText(state, seat) {
  const { cube, cube_used: isUsed } = state;
  const owned = isUsed && cube.owner === seat ? [t("cube.own", { n: cube.value })] : [];
  const { pips } = state.players[seat];
  return [`${LETTERS[seat]}  ${nameOf(state, seat)}`, t("pips", { n: pips }), pointsOf(state, seat), ...owned].join(" · ");
}

/** Where a player's checkers are, by the points as that player counts them: `O  24 (2), 13 (5)`. */
function placesText({ points }, seat) {
  const own = points.map((count) => (seat ? -count : count));
  const counts = seat ? own.reverse() : own;
  const places = counts.map((count, point) => [point === 25 ? t("notation.bar") : `${point}`, count]);
  const off = 15 - places.reduce((sum, [, count]) => sum + Math.max(0, count), 0);
  const shown = [[t("notation.off"), off], ...places.slice(1)].filter(([, count]) => count > 0).reverse();
  return `${LETTERS[seat]}  ${shown.map(([place, count]) => `${place} (${count})`).join(", ")}`;
}
