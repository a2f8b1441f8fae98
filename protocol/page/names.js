/** Names: people at a table in sentences. */

import { has, t } from "./texts.js";

/** The name of a person; the only one at the table is called you. */
export const personName = (state, seat) =>
  state.players[1 - seat].is_person ? t("player.number", { n: seat + 1 }) : t("player.you");

const isAlone = (state, seat) => state.players[seat].is_person && !state.players[1 - seat].is_person;

/** A text about a player of that name: the key with _you if it is the only person here. */
export function textAbout(state, seat, name, key, values = {}) {
  if (seat === null) return t(key, values);
  const own = `${key}_you`;
  return t(isAlone(state, seat) && has(own) ? own : key, { who: name, ...values });
}
