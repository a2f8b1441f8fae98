/** Dialogs: a new game, kept games, settings, resigning and help. */

import { about, scoreText } from "./names.js";
import { brokenRow, copyRow, Dialog, group } from "./shared/dialog.js";
import { choice, element, field, keyButton, toggle } from "./shared/elements.js";
import { moment, named, number, t } from "./shared/texts.js";

const PLAYERS = ["human", "easy", "medium", "hard", "expert", "best", "random", "blockers", "simple-1", "simple-2", "pubeval"];
const LEVELS = ["easy", "medium", "hard", "expert", "best"];
const LENGTHS = [1, 3, 5, 7, 9, 11, 13, 15, 17, 21, 25];
const LOSSES = [0.02, 0.03, 0.04, 0.06, 0.08, 0.12];

/** wants besides what Dialog does: post(path, body) -> whether it was done, games(). */
export class Dialogs extends Dialog {
  static KEYS = ["Enter", "d", "t", "p", "b", "u", "z", "r", "x", "w", "m", "h", "o", "k", "c", "n", "g", "i", "f", "s", "?"];

  newGame(state) {
    const player = (seat) => {
      const now = state?.players[seat].name ?? (seat ? "hard" : "human");
      const isOwn = !PLAYERS.includes(now);
      const options = PLAYERS.map((each) => [each, each === "human" ? t("player.person") : named("level.", each)]);
      const select = choice([...options, ["", t("new.weights")]], isOwn ? "" : now, { "data-name": `player${seat}` });
      const file = element("input", { type: "text", value: isOwn ? now : "", hidden: !isOwn, "aria-label": t("new.weights") });
      select.addEventListener("change", () => {
        file.hidden = select.value !== "";
      });
      return { select, file, value: () => select.value || file.value.trim() };
    };
    const players = [player(0), player(1)];
    const lengths = [...new Set([...LENGTHS, state?.length ?? LENGTHS[0]])].sort((one, other) => one - other);
    const length = choice(
      [["", t("match.money")], ...lengths.map((each) => [each, t("match.to", { n: each })])],
      state?.length ?? "", { "data-name": "length" });
    const check = (name, isOn) => element("input", { type: "checkbox", checked: isOn, "data-name": name });
    const [cube, jacoby, beavers] = [
      check("cube", state?.has_cube ?? true), check("jacoby", state?.jacoby ?? true), check("beavers", state?.beavers ?? false),
    ];
    const dice = choice([["auto", t("new.auto")], ["manual", t("new.manual")]], state?.dice_by ?? "auto", { "data-name": "dice" });
    const seed = element("input", { type: "number", min: "0", max: "2147483647", placeholder: t("new.any_seed"), "data-name": "seed" });
    const money = element("div", { class: "pair" }, toggle(t("match.jacoby"), jacoby), toggle(t("new.beavers"), beavers));
    const adapt = () => {
      money.hidden = length.value !== "" || !cube.checked;
    };
    for (const each of [length, cube]) each.addEventListener("change", adapt);
    adapt();
    const form = element("form", { onsubmit: (event) => {
      event.preventDefault();
      const body = {
        players: players.map((each) => each.value()),
        length: length.value === "" ? null : Number(length.value),
        cube: cube.checked,
        jacoby: jacoby.checked,
        beavers: beavers.checked,
        dice: dice.value,
        seed: seed.value === "" ? null : Number(seed.value),
      };
      this.closeAfter(this.wants.post("new", body));
    } },
    ...players.map(({ select, file }, seat) => element("div", { class: "who" },
      field(element("span", {}, element("i", { class: `sign s${seat}`, "aria-hidden": "true" }), t("new.player", { n: seat + 1 })), select), file)),
    field(t("new.length"), length), toggle(t("new.cube"), cube), money,
    field(t("new.dice"), dice), field(t("new.seed"), seed),
    element("button", { type: "submit", class: "primary" }, t("new.begin")));
    this.open("new", form);
  }

  async games() {
    const games = await this.wants.games();
    const rows = games.map((game) => (game.failed ? brokenRow(game.name, game.failed) : element("li", {}, element("button", { type: "button", onclick: () =>
      this.closeAfter(this.wants.post("load", { name: game.name })) },
    element("strong", {}, game.players.map((each) => (each === "human" ? t("player.person") : named("level.", each))).join(" – ")),
    element("span", {}, `${scoreText(game.score)} · ${game.length ? t("match.to", { n: game.length }) : t("match.money")}`),
    element("small", {}, `${game.name} · ${moment(game.played)}`)))));
    this.open("games", rows.length ? element("ul", { class: "games" }, rows) : element("p", {}, t("games.none")));
  }

  resign(state) {
    const seat = state.asked ?? 0;
    const buttons = state.stakes.map(([kind, points]) => element("button", { type: "button", "data-points": kind, onclick: () => {
      this.dialog.close();
      this.wants.act("resign", { points: kind });
    } }, t("resign.offer", { kind: t(`kind.${kind}`), points: t("points", { n: points }) })));
    this.open("resign", element("p", {}, about(state, seat, "resign.text")), element("div", { class: "column" }, buttons));
  }

  settings(state, languages) {
    const at = state?.settings ?? {};
    const tutors = [["null", t("settings.tutor.off")], ...LOSSES.map((each) => [each, t("settings.tutor.from", { loss: number(each, 2) })])];
    this.open("settings",
      element("div", { class: "columns" },
        group("settings.look",
          this.language(languages, () => this.settings(this.wants.state(), languages)),
          this.theme(), this.wish("home", ["right", "left"]),
          this.flag("flip"), this.flag("numbers"), this.flag("arrows"), this.flag("chances")),
        group("settings.play",
          this.speed(), this.wish("click", ["select", "play"]), this.flag("keys"),
          this.auto(at.auto), this.delay(at.delay)),
        group("settings.learn",
          this.kept("tutor", tutors, at.tutor ?? "null", (value) => (value === "null" ? null : Number(value))),
          this.kept("advice", LEVELS.map((each) => [each, named("level.", each)]), at.advice))));
  }

  /** IDs of the position, to be copied or pasted; and the way to the editor. */
  position(state, edit) {
    const paste = element("input", { type: "text", "data-name": "paste", "aria-label": t("position.paste"), placeholder: t("position.paste") });
    this.open("position",
      copyRow("id", state.id), copyRow("xgid", state.xgid),
      element("form", { class: "copy", onsubmit: (event) => {
        event.preventDefault();
        this.closeAfter(this.wants.act("set", { id: paste.value.trim() }));
      } }, field(t("position.paste"), paste), element("button", { type: "submit", class: "primary" }, t("position.begin"))),
      element("p", {}, keyButton(t("position.edit"), "", () => {
        this.dialog.close();
        edit();
      }, { "data-do": "edit" })),
      exportLinks(state));
  }
}

/** Links to the match so far as files for other programs. */
export const exportLinks = (state) => element("p", { class: "exports" }, ["sgf", "mat"].map((ending) => {
  const name = encodeURIComponent(`${state.kept_as || "match"}.${ending}`);
  return element("a", { href: `export/${name}`, download: "" }, t(`export.${ending}`));
}));
