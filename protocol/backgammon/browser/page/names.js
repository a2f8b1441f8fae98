/** Names: players, marks and what happened, in words. */

import { personName, textAbout } from "./shared/names.js";
import { named, notation, number, t } from "./shared/texts.js";

/** The name of a player; the only person at the table is called you. */
export function nameOf(state, seat) {
  const { name, is_person: isPerson } = state.players[seat];
  return isPerson ? personName(state, seat) : named("level.", name.replace(/^.*[/\\]/, ""));
}

/** A text about a player: the key with _you if it is the only person here. */
export const about = (state, seat, key, values) =>
  textAbout(state, seat, seat === null ? "" : nameOf(state, seat), key, values);

export const diceText = (dice) => (dice ?? []).join("-");

export const scoreText = ([first, second]) => t("score.games", { first, second });

export const pointsText = (points) => t("points", { n: points });

/** A line of the log as a sentence. */
export function logText(state, entry) {
  const kind = entry.kind ?? (entry.say === "resigns" ? entry.points : null);
  return about(state, entry.seat, `log.${entry.say}`, {
    dice: diceText(entry.dice),
    text: notation(entry.text),
    points: entry.points ? pointsText(entry.points) : "",
    kind: kind ? t(`kind.${kind}`) : "",
  });
}

/** The sign of a mark that the server gave a choice. */
export const SIGNS = { doubtful: "?!", bad: "?", very_bad: "??" };

/** The class of what has that mark: its colour. */
export const lossClass = (mark) => `loss-${Object.keys(SIGNS).indexOf(mark) + 1}`;

export const lossText = (loss) => (loss > 0 ? `−${number(loss)}` : number(0));
