/** Names: players, moves and what happened, in words. */

import { personName, textAbout } from "./shared/names.js";
import { settings } from "./shared/settings.js";
import { named, number, t } from "./shared/texts.js";

const WON = 300;
const SURE = 290;

/** The name of a player, with what it looks ahead and asks. */
export function nameOf(state, seat) {
  const { kind, is_person: isPerson, depth, table } = state.players[seat];
  if (isPerson) return personName(state, seat);
  const parts = [named("level.", kind)];
  if (depth !== null) parts.push(t("player.depth", { n: depth }));
  if (table) parts.push(t("player.table"));
  return parts.join(", ");
}

/** A text about a player: the key with _you if it is the only person here. */
export const about = (state, seat, key, values) =>
  textAbout(state, seat, seat === null ? "" : nameOf(state, seat), key, values);

/** Whether squares have letters: as the game's books have them, or as was chosen. */
export const areLetters = ({ variant }) =>
  settings.notation === "auto" ? variant === "czech" : settings.notation === "letters";

/** A move as it is written. */
export const moveText = (state, { numbers, letters }) => (areLetters(state) ? letters : numbers);

export const squareText = (state, lettered, square) => (areLetters(state) ? lettered : `${square}`);

/** What a move is worth in men, or in how many plies the game is won or lost. */
export function scoreText(score) {
  if (score === null || score === undefined) return "–";
  if (Math.abs(score) < SURE) return number(score, 2, true);
  const n = Math.round((WON - Math.abs(score)) * 100);
  return t(score > 0 ? "score.won" : "score.lost", { n });
}

/** A line of the log as a sentence. */
export function logText(state, entry) {
  const { score, depth } = entry;
  const thought = [
    ...(score === null || score === undefined ? [] : [scoreText(score)]),
    ...(depth ? [t("player.depth", { n: depth })] : []),
  ];
  const text = about(state, entry.seat, `log.${entry.say}`, {
    text: entry.numbers ? moveText(state, entry) : "",
    ending: entry.ending ? t(`ending.${entry.ending}`) : "",
  });
  return thought.length ? `${text} (${thought.join(", ")})` : text;
}

/** How the game ended, as a sentence. */
export function resultText(state) {
  const { winner, ending, score } = state.result;
  const why = t(`ending.${ending}`);
  const text = winner === null ? t("log.draw", { ending: why }) : about(state, winner, "log.wins", { ending: why });
  return `${text} ${score}`;
}
