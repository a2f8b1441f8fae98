/** App: the page put together, and what its keys do. */

import { Actions, matchText, seatStrip } from "./actions.js";
import { Board } from "./board.js";
import { Dialogs } from "./dialogs.js";
import { Editor } from "./editor.js";
import { lossClass } from "./names.js";
import { Panel } from "./panel.js";
import { copied, element } from "./shared/elements.js";
import { Server } from "./shared/server.js";
import { set, settings, wishing } from "./shared/settings.js";
import { Shell } from "./shared/shell.js";
import { notation, number, plainText, t } from "./shared/texts.js";
import { Typed } from "./shared/typed.js";

wishing({ home: "right", chances: true, click: "select" });
const $ = (id) => document.getElementById(id);
const DICE = /^\s*([1-6])[\s,-]*([1-6])\s*$/;
const TRIALS = [324, 1296, 5184, 20736];

let state = null;
let isRolling = false;

const shell = new Shell({
  get commands() {
    return COMMANDS;
  },
  keys: {
    n: "new", g: "games", i: "position", f: "flip", s: "settings", "?": "help", h: "hint", o: "rollout",
    w: "swap", m: "notation", c: "copy",
  },
  press: (key) => actions.key(key),
  isHeld: () => board.isSetUp,
  escape() {
    if (board.isSetUp) editor.close();
    else if (!actions.key("Escape")) board.choose(null);
  },
  redraw: speakAgain,
  refused() {
    board.own = null;
  },
});
const say = (text) => shell.say(text);
const tried = (promise) => shell.tried(promise);
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
  play: (text) => (state.may.includes("dice") ? throwDice(text) : act("text", { text: plainText(text) })),
  enter: () => actions.key("Enter"),
  async complete(text) {
    const asked = server.post("complete", { text: plainText(text) });
    return (await asked.catch(() => ({ lines: [] }))).lines.map(notation);
  },
});
const dialogs = new Dialogs({
  act: (name, more) => (name === "set" ? begun(act(name, more)) : act(name, more)),
  post: (path, body) => begun(tried(server.post(path, body))),
  games: () => server.post("games"),
  redraw,
  speak: (name) => shell.speak(name),
  state: () => state,
});
const editor = new Editor(board, { act, redraw, say });

/** Give up what is set up when another game or position was begun; whether that was done. */
async function begun(promise) {
  const isDone = await promise;
  if (isDone && board.isSetUp) editor.close();
  return isDone;
}

/** Throw the dice that were typed; whether that was done. */
function throwDice(text) {
  const dice = DICE.exec(text);
  if (dice) return act("dice", { dice: [Number(dice[1]), Number(dice[2])] });
  say(t("typed.no_dice", { text }));
  return false;
}

function showTyped() {
  const takesDice = state.may.includes("dice");
  typed.show({
    key: takesDice ? "typed.dice" : "typed.label",
    isOffered: takesDice || state.may.includes("text"),
    isCompleted: state.asks === "play",
  });
}

/** Show the state as it is, all of it. */
function redraw() {
  if (!state) return;
  const upper = Board.isTurned(state) ? 0 : 1;
  seatStrip($("upper"), state, upper);
  seatStrip($("lower"), state, 1 - upper);
  $("match").textContent = matchText(state);
  actions.show(state);
  showTyped();
  panel.show(state);
  panel.showChances(panel.chances);
  if (!board.isSetUp) board.draw();
  showRolloutWord();
}

/** Take a new state from the server. */
async function take(next) {
  state = next;
  shell.begin();
  showTyped();
  actions.show(state);
  panel.show(state);
  await board.show(state);
  if (state !== next) return;
  if (state.lesson?.best) board.pointed = { legs: state.lesson.best.legs, name: lossClass("") };
  redraw();
  shell.shown(state);
}

/** Show all again, in another language. */
function speakAgain() {
  showTrials();
  redraw();
  panel.log.sayAgain();
  editor.speakAgain();
  if (panel.rolled) panel.showRollout(panel.rolled);
  if (panel.hinted) panel.showHint(panel.hinted);
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
    panel.showRollout(null);
    const trials = Number($("trials").value);
    isRolling = await tried(server.post("rollout", { version: state.version, trials }));
  }
  showRolloutWord();
}

const COMMANDS = {
  hint: () => panel.ask(server, say),
  rollout,
  flip() {
    set("flip", !settings.flip);
    redraw();
  },
  new: () => dialogs.newGame(state),
  games: () => dialogs.games().catch((error) => say(error.message)),
  position: () => dialogs.position(state, () => editor.open(state)),
  settings: () => dialogs.settings(state, shell.languages),
  help: () => dialogs.help(),
  swap: () => board.swap(),
  notation: () => typed.focus(),
  copy: async () => {
    if (await copied(state.id)) say(`${t("position.copied")}: ${state.id}`);
  },
};

await shell.start();
$("trials").append(...TRIALS.map((each) => element("option", { value: `${each}` })));
$("trials").value = "1296";
showTrials();
showRolloutWord();
const server = shell.server = new Server({
  state: take,
  chances: (data) => panel.showChances(data),
  rollout(data) {
    isRolling = !data.done && !data.failed;
    if (state) panel.showRollout(data);
    showRolloutWord();
  },
}, (isGone) => shell.gone(isGone));
