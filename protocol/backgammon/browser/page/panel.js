/** Panel: chances, hints, lessons, rollouts and what has happened, beside the board. */

import { resultOf } from "./actions.js";
import { boardText } from "./text_board.js";
import { exportLinks } from "./dialogs.js";
import { element, table } from "./shared/elements.js";
import { Hints } from "./shared/hints.js";
import { logText, lossClass, lossText, nameOf, SIGNS } from "./names.js";
import { Log } from "./shared/log.js";
import { settings } from "./shared/settings.js";
import { named, notation, number, percent, percents, reason, t } from "./shared/texts.js";

const $ = (id) => document.getElementById(id);
const CHANCES = ["win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon"];

const chanceTitles = () => CHANCES.map((key) => [t(`chance.${key}`), t(`chance.${key}.long`)]);

/** A word of the server's as a key: lower letters and underscores. */
const key = (word) => `${word}`.toLowerCase().replace(/[^a-z]+/g, "_").replace(/_$/, "");

/** The name of what is right with the cube, by the server's key or words for it. */
function properText(word) {
  const action = named("action.", key(word).replace("_to_double", "").replace("optional_double", "optional"));
  return t("hint.proper", { action: action.slice(0, 1).toLowerCase() + action.slice(1) });
}

/** A loss with the sign of its mark, in its colour. */
const marked = ({ loss, mark }) =>
  element("span", { class: `loss ${lossClass(mark)}`, title: mark ? t(`mark.${mark}`) : null },
    lossText(loss), mark ? element("b", {}, ` ${SIGNS[mark]}`) : null);

export class Panel extends Hints {
  /** wants: point(legs, class) for arrows on the board, legs null for none. */
  constructor(wants) {
    super();
    this.wants = wants;
    this.pointed = null;
    this.log = new Log(logText);
    this.rolled = null;
  }

  show(state) {
    this.state = state;
    if (this.hinted?.version !== state.version) this.forgetHint();
    if (this.rolled) this.showRollout(this.rolled);
    this.showLesson();
    this.showSummary();
    this.log.show(state);
    $("text-board").querySelector("pre").textContent = boardText(state);
  }

  showChances(data) {
    this.chances = data;
    const box = $("chances");
    box.hidden = !settings.chances || !data || !this.state;
    if (box.hidden) return;
    const [win, winGammon, winBackgammon, loseGammon, loseBackgammon] = data.chances;
    const parts = [
      ["s0 three", winBackgammon], ["s0 two", winGammon - winBackgammon], ["s0 one", win - winGammon],
      ["s1 one", 1 - win - loseGammon], ["s1 two", loseGammon - loseBackgammon], ["s1 three", loseBackgammon],
    ];
    $("chances-bar").replaceChildren(...parts.map(([name, share]) => {
      const part = element("span", { class: name });
      part.style.width = `${Math.max(0, 100 * share)}%`;
      return part;
    }));
    const side = (seat, chance, gammon) =>
      t("chances.side", { who: nameOf(this.state, seat), win: percents(100 * chance), gammon: percents(100 * gammon) });
    $("chances-text").replaceChildren(
      element("span", {}, side(0, win, winGammon)),
      element("span", {}, t("chances.equity", { equity: number(data.equity, 3, true) })),
      element("span", {}, side(1, 1 - win, loseGammon)),
    );
  }

  forgetHint() {
    super.forgetHint();
    this.pointed = null;
  }

  hintRows(hint) {
    return hint.kind === "play" ? this.playRows(hint.rows, "hint") : cubeRows(hint);
  }

  /** A table of plays, each with a button that shows it on the board. */
  playRows(rows, name) {
    const titles = [[t("hint.play")], [t("hint.equity")], [t("hint.loss")], ...chanceTitles()];
    const cells = rows.map((row) => ({
      cells: [this.playButton(row, name), number(row.equity, 3, true), marked(row), ...row.chances.map(percent)],
    }));
    return table(titles, cells, { class: "figures plays" });
  }

  playButton(row, name) {
    const id = `${name}:${row.text}`;
    return element("button", { type: "button", class: "play", "aria-pressed": `${this.pointed === id}`,
      onclick: (event) => {
        this.pointed = this.pointed === id ? null : id;
        for (const each of document.querySelectorAll("button.play")) each.setAttribute("aria-pressed", "false");
        event.currentTarget.setAttribute("aria-pressed", `${this.pointed === id}`);
        this.wants.point(this.pointed ? row.legs : null, lossClass(row.mark));
      } },
    notation(row.text) || t("hint.no_play"),
    row.ply === undefined || row.ply === null ? null : element("small", {}, t("hint.ply", { n: row.ply })));
  }

  showLesson() {
    const { lesson } = this.state;
    const box = $("lesson");
    box.hidden = !lesson;
    if (!lesson) {
      this.taught = null;
      return;
    }
    if (this.taught !== this.state.version) {
      this.taught = this.state.version;
      this.pointed = lesson.best ? `lesson:${lesson.best.text}` : null;
    }
    const title = element("h2", {}, t("lesson.title"));
    const lost = element("p", {}, marked(lesson), " ",
      lesson.mark ? t(`mark.${lesson.mark}`) : "",
      lesson.match_loss === null ? "" : ` · ${t("lesson.match", { loss: percents(lesson.match_loss, 2) })}`);
    if (lesson.kind === "cube") {
      box.replaceChildren(title, lost, ...cubeLesson(lesson));
      return;
    }
    const rows = [lesson.best, lesson.played].filter(Boolean);
    const why = rows.some((row) => row.shots !== undefined) ? [this.reasons(rows)] : [];
    box.replaceChildren(title, lost, this.playRows(rows, "lesson"), ...why);
  }

  /** Shots and points of the better play and of the one that was played. */
  reasons(rows) {
    const titles = [["", t("hint.play")], [t("lesson.shots")], [t("lesson.points")]];
    const cells = rows.map((row) => ({
      cells: [notation(row.text), `${row.shots ?? "–"} / 36`, `${row.points_made ?? "–"}`],
    }));
    return table(titles, cells, { class: "figures" });
  }

  showSummary() {
    const { summary } = this.state;
    const box = $("summary");
    box.hidden = !summary;
    if (!summary) return;
    const line = (name, text) => ({ cells: [t(`summary.${name}`), ...summary.map(text)] });
    const titles = [["", resultOf(this.state)], ...summary.map(({ seat }) => [nameOf(this.state, seat)])];
    const rows = [
      line("decisions", (each) => `${each.decisions}`),
      line("doubtful", (each) => `${each.doubtful}`),
      line("bad", (each) => `${each.bad}`),
      line("very_bad", (each) => `${each.very_bad}`),
      line("lost", (each) => number(each.lost)),
      line("rate", (each) => number(each.rate, 1)),
      line("word", (each) => named("rating.", key(each.word))),
      line("luck", (each) => number(each.luck, 3, true)),
    ];
    box.replaceChildren(element("h2", {}, t("summary.title")), table(titles, rows, { class: "figures" }), exportLinks(this.state));
  }

  /** Show the figures of a rollout so far; what was done for another position is forgotten. */
  showRollout(data) {
    const box = $("rollout-rows");
    const isEarlier = data?.id !== this.state.id;
    this.rolled = data && !(data.done && isEarlier) ? data : null;
    if (!this.rolled) {
      box.replaceChildren();
      return;
    }
    const titles = [
      [t(data.known?.cube ? "hint.action" : "hint.play")], [t("hint.equity")], ["±", t("rollout.error")],
      [t("rollout.trials_short"), t("rollout.trials")], ...chanceTitles(),
    ];
    const { rows, trials, proper } = rolledRows(data.known);
    const cells = rows.map(([name, row]) => ({
      cells: [
        name, number(row.equity, 3, true), number(row.equity_error), row.chances ? number(trials, 0) : "–",
        ...CHANCES.map((each) => (row.chances ? percent(row.chances[each]) : "–")),
      ],
    }));
    const note = data.failed ? reason(data.failed) : (data.done ? t("rollout.done") : t(isEarlier ? "rollout.earlier" : "rollout.running"));
    box.replaceChildren(
      rows.length ? table(titles, cells, { class: "figures plays trials" }) : "",
      proper ? element("p", {}, properText(proper)) : "",
      element("p", { class: "faint" }, note),
    );
  }
}

/** What was rolled out as [name, figures], with the trials and, for the cube, what is proper. */
function rolledRows(known) {
  const { trials, plays, cube } = known ?? {};
  if (plays) return { trials, rows: plays.map((row) => [notation(row.play), row]) };
  if (!cube) return { trials, rows: known?.equity === undefined ? [] : [[t("hint.equity"), known]] };
  const rows = ["no_double", "double_take", "double_drop"].map((name) => [t(`action.${name}`), cube[name]]);
  return { trials, rows, proper: cube.proper_action };
}

function cubeRows(hint) {
  const titles = [[t("hint.action")], [t("hint.equity")], [t("hint.difference")]];
  const rows = hint.rows.map((row) => ({
    cells: [named("action.", row.key), number(row.points, 3, true), number(row.diff, 3, true)],
  }));
  const parts = [rows.length ? table(titles, rows, { class: "figures" })
    : element("p", {}, t("chances.equity", { equity: number(hint.cubeless, 3, true) }))];
  if (hint.action) parts.push(element("p", {}, element("strong", {}, properText(hint.action))));
  if (hint.chances) {
    const cells = [{ cells: [t("hint.chances"), ...hint.chances.map(percent)] }];
    parts.push(table([["", t("hint.chances")], ...chanceTitles()], cells, { class: "figures" }));
  }
  return element("div", {}, parts);
}

/** The worth of every action, and the one that was chosen. */
const cubeLesson = (lesson) => [
  element("p", {}, t("lesson.chosen", { action: named("action.", lesson.played) })), cubeRows(lesson),
];
