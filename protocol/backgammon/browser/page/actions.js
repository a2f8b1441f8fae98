/** Actions: what is asked of the person, and the buttons that answer it. */

import { Buttons } from "./shared/buttons.js";
import { element, keyButton } from "./shared/elements.js";
import { about, diceText, nameOf, pointsText } from "./names.js";
import { notation, number, t } from "./shared/texts.js";

const KEYS = {
  confirm: "Enter", roll: "Enter", next: "Enter", take: "t", drop: "p", accept: "t", decline: "p",
  beaver: "b", keep: "k", "take-back": "b", double: "d", undo: "u", "undo-turn": "z", resign: "r", stop: "x",
};
const PRIMARY = ["confirm", "roll", "next", "take", "accept", "take-back"];
/** Buttons that keep their places while they cannot be used. */
const STEADY = { play: ["confirm", "undo", "undo-turn"], roll: ["roll", "double", "undo"] };

export class Actions extends Buttons {
  /** wants: act(name), resign(). */
  constructor(wants) {
    super(KEYS, PRIMARY, ["resign"]);
    this.wants = wants;
    this.isDoubling = false;
  }

  show(state) {
    this.state = state;
    this.isDoubling &&= state.may.includes("double");
    this.bar.dataset.asks = this.isDoubling ? "sure" : state.asks;
    this.bar.classList.toggle("own", state.asked !== null && state.asks !== "bot");
    const prompt = this.isDoubling ? t("ask.sure", { n: 2 * (state.cube.value || 1) }) : promptOf(state);
    this.fill(prompt, this.isDoubling ? this.sure() : this.offered());
  }

  offered() {
    const { may, asks } = this.state;
    const shown = Object.keys(KEYS).filter((name) => may.includes(name) || STEADY[asks]?.includes(name));
    const words = this.state.result?.match_over ? { next: "next_match" } : {};
    return this.made(shown, may, (name) => this.press(name), words);
  }

  sure() {
    return [
      keyButton(t("do.yes_double"), "Enter", () => this.double(), { "data-do": "sure", class: "primary" }),
      keyButton(t("do.no"), "Escape", () => this.cancel(), { "data-do": "cancel" }),
    ];
  }

  press(name) {
    if (name === "double") {
      this.isDoubling = true;
      this.show(this.state);
      this.button("sure")?.focus();
    } else if (name === "resign") this.wants.resign();
    else this.wants.act(name);
  }

  double() {
    this.isDoubling = false;
    this.wants.act("double");
  }

  cancel() {
    this.isDoubling = false;
    this.show(this.state);
  }
}

/** What is asked, as a sentence. */
export function promptOf(state) {
  const { asks, asked, turn } = state;
  const seat = asked ?? turn ?? 0;
  switch (asks) {
    case "double":
      return about(state, 1 - seat, "ask.double", { n: state.cube.shown });
    case "resignation":
      return about(state, 1 - seat, "ask.resignation", { kind: t(`kind.${state.resigned}`) });
    case "next":
      return resultOf(state);
    case "lesson":
      return lessonText(state.lesson);
    case "roll":
      return about(state, seat, state.may.includes("double") ? "ask.roll" : "ask.roll_only");
    case "play": {
      const isDone = state.is_complete;
      return about(state, seat, isDone ? "ask.confirm" : "ask.play", { dice: diceText(state.dice) });
    }
    default:
      return about(state, seat, `ask.${asks}`);
  }
}

/** The question of the tutor. */
function lessonText({ kind, played, loss }) {
  const lost = number(loss);
  if (kind === "cube") return t("ask.lesson_cube", { loss: lost, action: t(`action.${played}`) });
  return t("ask.lesson", { loss: lost, text: notation(played.text) || t("hint.no_play") });
}

/** How the game ended, as a sentence. */
export function resultOf(state) {
  const { result } = state;
  if (!result) return "";
  const values = { points: pointsText(result.points), kind: t(`kind.${result.kind}`) };
  const ending = about(state, result.winner, "log.wins", values);
  return result.match_over ? `${ending} ${about(state, result.winner, "result.match")}` : ending;
}

/** The points that a player has. */
export const pointsOf = ({ length, players }, seat) =>
  length ? t("score.match", { n: players[seat].points, length }) : pointsText(players[seat].points);

/** The strip with a player's name, pips and score. */
export function seatStrip(holder, state, seat) {
  const player = state.players[seat];
  const parts = [
    element("span", { class: `sign s${seat}`, "aria-hidden": "true" }),
    element("strong", {}, nameOf(state, seat)),
    element("span", { class: "pips" }, t("pips", { n: player.pips })),
    element("span", { class: "score" }, pointsOf(state, seat)),
  ];
  if (state.cube_used && state.cube.owner === seat) {
    parts.splice(3, 0, element("span", { class: "cube-note" }, t("cube.own", { n: state.cube.value })));
  }
  holder.replaceChildren(...parts);
  holder.classList.toggle("on-roll", state.turn === seat && !state.result);
}

/** The rules and the score of what is played, in a line. */
export function matchText(state) {
  const parts = [state.length ? t("match.to", { n: state.length }) : t("match.money")];
  parts.push(t("match.game", { n: state.number }));
  if (state.is_crawford) parts.push(t("match.crawford"));
  if (!state.cube_used) parts.push(t("match.no_cube"));
  else if (!state.length && state.jacoby) parts.push(t("match.jacoby"));
  return parts.join(" · ");
}

