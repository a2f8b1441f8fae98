/** Learning: a table of states that learns while its figures are shown. */

import { choice, element, field, table } from "./shared/elements.js";
import { number, percents, reason, t } from "./shared/texts.js";

const GAMES = [1000, 10000, 100000, 1000000];
const VARIANTS = ["czech", "international"];

export class Learning {
  /** wants: post(path, body) -> whether it was done. */
  constructor(wants) {
    this.wants = wants;
    this.form = document.getElementById("learning-form");
    this.rows = document.getElementById("learning-rows");
    this.data = null;
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.press();
    });
  }

  get isRunning() {
    return Boolean(this.data?.running);
  }

  /** Show the fields as they were, in the language chosen by now; anew only if they are others. */
  redraw(variant) {
    const shown = `${document.documentElement.lang} ${this.isRunning}`;
    if (this.shown === shown) return;
    this.shown = shown;
    const kept = Object.fromEntries([...this.form.elements].map((each) => [each.name, each.value]));
    const held = this.data?.settings ?? {};
    const value = (name, first) => kept[name] ?? held[name] ?? first;
    const off = { disabled: this.isRunning };
    this.form.replaceChildren(
      element("p", { class: "faint" }, t("learning.text")),
      field(t("new.variant"), choice(VARIANTS.map((each) => [each, t(`variant.${each}`)]), value("variant", variant), { name: "variant", ...off })),
      field(t("learning.depth"), element("input", { type: "number", name: "depth", min: "1", max: "12", value: value("depth", 2), ...off })),
      field(t("learning.games"), choice(GAMES.map((each) => [each, number(each, 0)]), value("games", 10000), { name: "games", ...off })),
      field(t("learning.tables"), choice([["true", t("learning.shared")], ["false", t("learning.each")]], value("is_shared", "true"), { name: "is_shared", ...off })),
      element("button", { type: "submit", class: "primary" }, t(this.isRunning ? "learning.stop" : "learning.start")),
    );
    this.showFigures();
  }

  async press() {
    if (this.isRunning) {
      await this.wants.post("learn/stop", {});
      return;
    }
    const { variant, depth, games, is_shared: shared } = this.form.elements;
    await this.wants.post("learn", {
      variant: variant.value, depth: Number(depth.value), games: Number(games.value), is_shared: shared.value === "true",
    });
  }

  /** Take figures that were told. */
  take(data) {
    const wasRunning = this.isRunning;
    this.data = data;
    if (wasRunning !== this.isRunning) this.redraw(data.settings.variant);
    else this.showFigures();
  }

  showFigures() {
    const { data } = this;
    if (!data) return;
    const { games, states, seconds, won, drawn, lost, score, error, settings } = data;
    const row = (name, text) => ({ cells: [t(`learning.${name}`), text] });
    const rows = states === undefined ? [] : [
      row("played", t("learning.of", { n: number(games, 0), all: number(settings.games, 0) })),
      row("states", number(states, 0)),
      row("speed", seconds ? number(games / seconds, 0) : "–"),
      row("won", `${number(won, 0)} / ${number(drawn, 0)} / ${number(lost, 0)}`),
      row("score", score === null ? "–" : error === null ? percents(score) : `${percents(score)} ± ${percents(error)}`),
    ];
    const note = data.failed ? reason(data.failed) : t(data.running ? (rows.length ? "learning.running" : "learning.begins") : "learning.saved");
    this.rows.replaceChildren(
      rows.length ? table([["", t("learning.title")], [t(`variant.${settings.variant}`), undefined]], rows, { class: "figures" }) : "",
      element("p", { class: "faint" }, note),
    );
    this.rows.dataset.games = games;
    this.rows.dataset.running = data.running;
  }
}
