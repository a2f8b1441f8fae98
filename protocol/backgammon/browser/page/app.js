/** App: the page put together, and what its keys do. */

import { Actions, matchText, seatStrip } from "./actions.js";
import { Board } from "./board.js";
import { Dialogs } from "./dialogs.js";
import { Editor } from "./editor.js";
import { copied, element } from "./elements.js";
import { lossClass } from "./names.js";
import { Panel } from "./panel.js";
import { Server } from "./server.js";
import { dress, language, set, settings } from "./settings.js";
import { number, plainPlay, reason, speak, t } from "./texts.js";
import { Typed } from "./typed.js";

const $ = (id) => document.getElementById(id);
const message = $("message");
const TRIALS = [324, 1296, 5184, 20736];

/** A language's name for itself. */
function ownName(code) {
  const name = new Intl.DisplayNames([code], { type: "language" }).of(code);
  return name[0].toUpperCase() + name.slice(1);
}

let state = null;
let isAway = false;
let isRolling = false;
let silence = 0;

/** Do something, and tell the reason if it cannot be done; whether it was. */
async function tried(promise) {
  try {
    const answer = await promise;
    say("");
    return answer !== null;
  } catch (error) {
    if (error.message) say(error.message);
    board.own = null;
    return false;
  }
}

/** Show a sentence for a while, in front of a dialog too. */
function say(text) {
  clearTimeout(silence);
  (dialogs.isOpen ? $("dialog") : document.body).append(message);
  message.textContent = text;
  message.hidden = !text;
  if (text) silence = setTimeout(() => say(""), 8000);
}

const act = (name, more) => tried(server.act(name, more));

const board = new Board($("board"), {
  move: (from, to) => act("move", { from, to }),
  dice: () => act(state.may.includes("roll") ? "roll" : "confirm"),
  cube: () => state.may.includes("double") && actions.press("double"),
  place: (name, event) => editor.place(name, event),
});
const actions = new Actions({ act, resign: () => dialogs.resign(state) });
const panel = new Panel({ point: (legs, name) => board.point(legs, name) });
const typed = new Typed({
  play: (text) => act("text", { text: plainPlay(text) }),
  refuse: say,
  dice: (dice) => act("dice", { dice }),
  enter: () => actions.key("Enter"),
  async complete(text) {
    const asked = server.post("complete", { text: plainPlay(text) });
    return (await asked.catch(() => ({ lines: [] }))).lines;
  },
});
const dialogs = new Dialogs({
  act,
  post: (path, body) => tried(server.post(path, body)),
  games: () => server.post("games"),
  redraw,
  speak: change,
  state: () => state,
});
const editor = new Editor(board, { act, redraw });

/** Show the state as it is, all of it. */
function redraw() {
  if (!state) return;
  const upper = Board.isTurned(state) ? 0 : 1;
  seatStrip($("upper"), state, upper);
  seatStrip($("lower"), state, 1 - upper);
  $("match").textContent = matchText(state);
  actions.show(state);
  typed.show(state);
  panel.show(state);
  panel.showChances(panel.chances);
  if (!board.isSetUp) board.draw();
  showRolloutWord();
}

/** Take a new state from the server. */
async function take(next) {
  const before = state;
  state = next;
  document.body.dataset.busy = "";
  typed.show(state);
  actions.show(state);
  panel.show(state);
  await board.show(state);
  if (state !== next) return;
  if (state.lesson?.best) board.pointed = { legs: state.lesson.best.legs, name: lossClass("") };
  redraw();
  delete document.body.dataset.busy;
  document.body.dataset.version = state.version;
  document.body.dataset.asks = state.asks;
  if (state.trouble) say(reason(state.trouble));
  else if (before?.trouble) say("");
}

/** Speak another language from now on. */
async function change(name) {
  set("language", name);
  if (!(await speak(name))) return;
  $("language").value = name;
  gone(isAway);
  showTrials();
  redraw();
  panel.sayAgain();
  editor.speakAgain();
  say("");
  if (panel.rolled) panel.showRollout(panel.rolled);
  if (panel.hinted) panel.showHint(panel.hinted.version, panel.hinted.hint);
}

function gone(isGone) {
  isAway = isGone;
  $("gone").hidden = !isGone;
  $("gone").textContent = isGone ? t("gone") : "";
}

async function hint() {
  const { version } = state;
  panel.waitForHint();
  try {
    panel.showHint(version, await server.post("hint", { version }));
  } catch (error) {
    panel.forgetHint();
    if (error.message) say(error.message);
  }
}

function showTrials() {
  for (const each of $("trials").options) each.textContent = number(Number(each.value), 0);
}

function showRolloutWord() {
  $("rollout-word").textContent = t(isRolling ? "rollout.stop" : "rollout.start");
}

async function rollout() {
  if (isRolling) {
    isRolling = !(await tried(server.post("rollout/stop")));
    if (!isRolling && panel.rolled) panel.showRollout({ ...panel.rolled, done: true });
  } else {
    panel.startRollout();
    const trials = Number($("trials").value);
    isRolling = await tried(server.post("rollout", { version: state.version, trials }));
  }
  showRolloutWord();
}

const COMMANDS = {
  hint,
  rollout,
  flip() {
    set("flip", !settings.flip);
    redraw();
  },
  new: () => dialogs.newGame(state),
  games: () => dialogs.games().catch((error) => say(error.message)),
  position: () => dialogs.position(state, () => editor.open(state)),
  settings: () => dialogs.settings(state, languages),
  help: () => dialogs.help(),
  swap: () => board.swap(),
  notation: () => typed.focus(),
  copy: async () => {
    if (await copied(state.id)) say(`${t("position.copied")}: ${state.id}`);
  },
};
const KEYS = {
  n: "new", g: "games", i: "position", f: "flip", s: "settings", "?": "help", h: "hint", o: "rollout",
  w: "swap", m: "notation", c: "copy",
};

/** Save what the server has for a link, or tell why there is nothing. */
async function save(link) {
  const file = await server.file(link.href);
  const url = URL.createObjectURL(file);
  const name = decodeURIComponent(link.href.replace(/^.*\//, ""));
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[download]");
  if (link?.isConnected) {
    event.preventDefault();
    tried(save(link));
  }
  const isByPointer = event.detail > 0 && !dialogs.isOpen && !board.isSetUp;
  if (isByPointer) event.target.closest("button")?.blur(); // so that Enter goes on with the game
  const { open, doPage } = event.target.closest("[data-open], [data-do-page]")?.dataset ?? {};
  if (state && (open || doPage)) COMMANDS[open ?? doPage]();
});

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.matches("input, select, textarea");
  if (!state || dialogs.isOpen || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    if (board.isSetUp) editor.close();
    else if (!actions.key("Escape")) board.choose(null);
    return;
  }
  if (event.key === "Enter") {
    if (!event.target.closest("button, a, summary") && actions.key("Enter")) event.preventDefault();
    return;
  }
  if (!settings.keys || event.repeat || board.isSetUp) return;
  if (actions.key(event.key)) event.preventDefault();
  else if (KEYS[event.key.toLowerCase()]) {
    event.preventDefault();
    COMMANDS[KEYS[event.key.toLowerCase()]]();
  }
});

for (const query of ["(prefers-color-scheme: dark)", "(prefers-contrast: more)"]) {
  matchMedia(query).addEventListener("change", dress);
}
dress();
const known = await fetch("languages").then((answer) => answer.json()).catch(() => ["en"]);
const languages = known.map((each) => [each, ownName(each)]);
await speak(language(known));
$("language").append(...languages.map(([value, text]) => element("option", { value, lang: value }, text)));
$("language").value = document.documentElement.lang;
$("language").addEventListener("change", (event) => change(event.target.value));
$("trials").append(...TRIALS.map((each) => element("option", { value: `${each}` })));
$("trials").value = "1296";
showTrials();
showRolloutWord();
const server = new Server({
  state: take,
  chances: (data) => panel.showChances(data),
  rollout(data) {
    isRolling = !data.done && !data.failed;
    if (state) panel.showRollout(data);
    showRolloutWord();
  },
}, gone);
