/** Dialogs: a new game, kept games, positions and files, settings, resigning and help. */

import { about, areLetters } from "./names.js";
import { brokenRow, copyRow, Dialog, group } from "./shared/dialog.js";
import { choice, element, field } from "./shared/elements.js";
import { has, named, number, reason, t } from "./shared/texts.js";

const LEVELS = ["easy", "medium", "hard", "expert", "best"];
const SEARCHERS = ["alpha-beta", "minimax"];
const PLAYERS = ["human", ...LEVELS, ...SEARCHERS, "random"];
const VARIANTS = ["international", "czech"];

/** wants besides what Dialog does: post(path, body) -> whether it was done, ask(path, body) -> the answer, say(sentence). */
export class Dialogs extends Dialog {
  static KEYS = ["Enter", "m", "u", "d", "r", "x", "p", "h", "c", "n", "g", "i", "f", "s", "?"];

  async newGame(state) {
    const variants = VARIANTS.map((each) => [each, t(`variant.${each}`)]);
    const variant = choice(variants, state.variant, { "data-name": "variant" });
    const players = [this.player(state, 0), this.player(state, 1)];
    const origins = ["start", "ballot", "fen"].map((each) => [each, t(`new.${each}`)]);
    const origin = choice(origins, "start", { "data-name": "origin" });
    const ballot = choice([["", t("new.any_ballot")]], "", { "data-name": "ballot" });
    const fen = element("input", { type: "text", "data-name": "fen" });
    const [ballotField, fenField] = [field(t("new.which"), ballot), field("FEN", fen)];
    const adapt = async () => {
      ballotField.hidden = origin.value !== "ballot";
      fenField.hidden = origin.value !== "fen";
      const of = { variant: variant.value };
      const tables = await this.wants.ask("tables", of).catch(() => []);
      for (const each of players) each.offer(tables);
      const ballots = origin.value === "ballot" ? await this.wants.ask("ballots", of).catch(() => []) : [];
      const texts = ballots.map((each, n) => [n, areLetters({ variant: variant.value }) ? each.letters : each.numbers]);
      ballot.replaceChildren(...[["", t("new.any_ballot")], ...texts].map(([value, text]) => element("option", { value: `${value}` }, text)));
    };
    for (const each of [variant, origin]) each.addEventListener("change", adapt);
    const form = element("form", { onsubmit: (event) => {
      event.preventDefault();
      const body = {
        variant: variant.value, origin: origin.value, fen: fen.value.trim(),
        ballot: ballot.value === "" ? null : Number(ballot.value),
        players: players.map((each) => each.name()), depths: players.map((each) => each.depth()),
      };
      this.closeAfter(this.wants.post("new", body));
    } },
    field(t("new.variant"), variant), ...players.map((each) => each.box),
    field(t("new.origin"), origin), ballotField, fenField,
    element("button", { type: "submit", class: "primary" }, t("new.begin")));
    ballotField.hidden = fenField.hidden = true;
    this.open("new", form);
    await adapt();
  }

  /** The fields of a player: who, how deep, and with which table of states. */
  player(state, seat) {
    const now = state.players[seat];
    const kind = choice(PLAYERS.map((each) => [each, each === "human" ? t("player.person") : t(`level.${each}`)]),
      PLAYERS.includes(now.kind) ? now.kind : "human", { "data-name": `player${seat}` });
    const depth = element("input", { type: "number", min: "0", max: "60", value: now.depth ?? "", placeholder: t("new.own_depth"), "data-name": `depth${seat}` });
    const table = choice([["", t("new.no_table")]], "", { "data-name": `table${seat}` });
    const [depthField, tableField] = [field(t("new.depth"), depth), field(t("new.table"), table)];
    let isOffered = false;
    const adapt = () => {
      const isSearcher = SEARCHERS.includes(kind.value);
      depthField.hidden = !isSearcher && !LEVELS.includes(kind.value);
      tableField.hidden = !isSearcher;
      depth.min = isSearcher ? "0" : "1";
      depth.required = isSearcher;
      if (isSearcher && depth.value === "") depth.value = "4";
    };
    kind.addEventListener("change", () => {
      depth.value = "";
      adapt();
    });
    adapt();
    const title = element("span", {}, element("i", { class: `sign s${seat}`, "aria-hidden": "true" }), t(`side.${seat}`));
    return {
      box: element("div", { class: "who" }, field(title, kind), depthField, tableField),
      offer(tables) {
        const held = isOffered ? table.value : now.name.split(":").slice(2).join(":");
        isOffered = true;
        table.replaceChildren(...[["", t("new.no_table")], ...tables.map(({ file, name }) => [file, name])]
          .map(([value, text]) => element("option", { value }, text)));
        table.value = tables.some(({ file }) => file === held) ? held : "";
      },
      name: () => (SEARCHERS.includes(kind.value) ? [kind.value, depth.value, table.value].filter((each) => each !== "").join(":") : kind.value),
      depth: () => (LEVELS.includes(kind.value) && depth.value !== "" ? Number(depth.value) : null),
    };
  }

  async games() {
    const games = await this.wants.ask("games", {});
    const rows = games.map((game) => (game.failed
      ? brokenRow(t(`variant.${game.variant}`), game.failed)
      : this.gameRow(game, () => this.wants.post("load", { variant: game.variant, n: game.n, digest: game.digest }))));
    this.open("games", rows.length ? element("ul", { class: "games" }, rows) : element("p", {}, t("games.none")));
  }

  gameRow(game, choose) {
    const names = game.players.map((each) => (each === "human" ? t("player.person") : fileless(each)));
    const of = [t(`variant.${game.variant}`), t("games.plies", { n: game.plies }), game.event, game.date].filter(Boolean);
    return element("li", {}, element("button", { type: "button", onclick: () => this.closeAfter(choose()) },
    element("strong", {}, names.join(" – ")), element("span", {}, game.score ?? t("games.unfinished")),
    element("small", {}, of.join(" · "))));
  }

  /** The position as FEN, to be copied or pasted, and the game as a file. */
  position(state) {
    const paste = element("input", { type: "text", "data-name": "paste" });
    const file = element("input", { type: "file", accept: ".pdn,.txt", "data-name": "file", onchange: async () => {
      const [chosen] = file.files;
      if (!chosen) return;
      const text = await chosen.text();
      const answer = await this.wants.told("pdn", { text });
      if (answer?.games) this.choosePdn(answer, text);
      else if (answer) this.opened(answer);
    } });
    this.open("position",
      copyRow("fen", state.fen),
      element("form", { class: "copy", onsubmit: (event) => {
        event.preventDefault();
        this.closeAfter(this.wants.act("set", { fen: paste.value.trim() }));
      } }, field(t("position.paste"), paste), element("button", { type: "submit", class: "primary" }, t("position.begin"))),
      field(t("position.open"), file),
      element("p", { class: "exports" }, element("a", { href: `export/draughts-${state.variant}.pdn`, download: "" }, t("position.save"))));
  }

  choosePdn({ games, all }, text) {
    const rows = games.map((game, n) => this.gameRow(game, async () => {
      const answer = await this.wants.told("pdn", { text, n });
      if (answer) this.opened(answer);
      return false;
    }));
    const first = element("p", { class: "faint" }, t("games.first", { n: number(rows.length, 0), all: number(all, 0) }));
    this.open("games", element("ul", { class: "games" }, rows), ...(all > rows.length ? [first] : []));
  }

  opened({ fault }) {
    this.dialog.close();
    if (fault) this.wants.say(reason(fault));
  }

  resign(state) {
    const button = (name, act, properties) => element("button", { type: "button", ...properties, onclick: () => {
      this.dialog.close();
      act();
    } }, t(name));
    this.open("resign", element("p", {}, about(state, state.turn, "resign.text")), element("div", { class: "pair" },
      button("do.resign", () => this.wants.act("resign"), { class: "primary", "data-do": "sure" }), button("do.no", () => {}, {})));
  }

  settings(state, languages) {
    const at = state.settings;
    this.open("settings", element("div", { class: "columns" },
      group("settings.look",
        this.language(languages, () => this.settings(this.wants.state(), languages)),
        this.theme(), this.wish("notation", ["auto", "numbers", "letters"]),
        this.flag("flip"), this.flag("numbers"), this.flag("arrows")),
      group("settings.play",
        this.speed(), this.flag("keys"), this.delay(at.delay), this.auto(at.auto),
        this.kept("advice", LEVELS.map((each) => [each, named("level.", each)]), at.advice))));
  }
}

/** A player's name without the folders of its table. */
function fileless(name) {
  const [kind, depth, ...rest] = name.split(":");
  if (!has(`level.${kind}`)) return name;
  const parts = [t(`level.${kind}`), depth && t("player.depth", { n: depth }), rest.length ? t("player.table") : ""];
  return parts.filter(Boolean).join(", ");
}
