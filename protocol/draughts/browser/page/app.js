/** App: the page put together, and what its keys do. */

import { Actions, seatStrip } from "./actions.js";
import { Board } from "./board.js";
import { Dialogs } from "./dialogs.js";
import { Learning } from "./learning.js";
import { moveText } from "./names.js";
import { Panel } from "./panel.js";
import { copied } from "./shared/elements.js";
import { Server } from "./shared/server.js";
import { set, settings, wishing } from "./shared/settings.js";
import { Shell } from "./shared/shell.js";
import { t } from "./shared/texts.js";
import { Typed } from "./shared/typed.js";

wishing({ notation: "auto" });
const $ = (id) => document.getElementById(id);

let state = null;
let chosen = null;
let preparing = null;

const shell = new Shell({
  get commands() {
    return COMMANDS;
  },
  keys: { n: "new", g: "games", i: "position", f: "flip", s: "settings", "?": "help", h: "hint", m: "notation", c: "copy" },
  press: (key) => actions.key(key),
  isHeld: () => false,
  escape() {
    point(null);
    board.choose(null);
  },
  redraw() {
    redraw();
    panel.log.sayAgain();
  },
  refused() {
    board.isDropped = false;
  },
});
const say = (text) => shell.say(text);
const tried = (promise) => shell.tried(promise);
const act = (name, more) => tried(server.act(name, more));
const play = ({ n }) => act("move", { n });

const board = new Board($("board"), { move: (n) => play({ n }), ask: say });
const actions = new Actions({ act, play, resign: () => dialogs.resign(state) });
const panel = new Panel({
  look: (move) => board.point(move ?? chosen),
  choose: point,
  play,
});
const learning = new Learning({ post: (path, body) => tried(server.post(path, body)) });
const typed = new Typed({
  play: (text) => act("text", { text }),
  enter: () => actions.key("Enter"),
  async complete(text) {
    const begins = (each) => each.toLowerCase().startsWith(text.trim().toLowerCase());
    const own = state.moves.map((move) => moveText(state, move)).filter(begins);
    const all = state.moves.flatMap(({ numbers, letters }) => [numbers, letters]).filter(begins);
    return [...new Set([...own, ...all])];
  },
});
const dialogs = new Dialogs({
  act,
  say,
  post: (path, body) => tried(server.post(path, body)),
  ask: (path, body) => server.post(path, body),
  async told(path, body) {
    let answer = null;
    await tried(server.post(path, body).then((told) => (answer = told)));
    return answer;
  },
  redraw,
  speak: (name) => shell.speak(name),
  state: () => state,
});

/** Show a move that was chosen in a list, ready to be played; null for none. */
function point(move) {
  chosen = move;
  board.choose(null);
  board.point(move);
  actions.show(state, chosen);
}

/** Show the state as it is, all of it. */
function redraw() {
  if (!state) return;
  const upper = Board.isTurned(state) ? 0 : 1;
  seatStrip($("upper"), state, upper);
  seatStrip($("lower"), state, 1 - upper);
  $("match").textContent = t(`variant.${state.variant}`);
  showAround();
  learning.redraw(state.variant);
  showPreparing();
  board.draw();
}

function showAround() {
  actions.show(state, chosen);
  typed.show({ key: state.variant === "czech" ? "typed.letters" : "typed.label", isOffered: state.may.includes("text"), isCompleted: true });
  panel.show(state);
}

/** Take a new state from the server. */
async function take(next) {
  state = next;
  chosen = null;
  shell.begin();
  showAround();
  await board.show(state);
  if (state !== next) return;
  redraw();
  shell.shown(state);
}

/** Tell what is compiled or solved at a first start. */
function showPreparing() {
  const { what, left } = preparing ?? {};
  $("preparing").hidden = !what;
  $("preparing").textContent = what ? t(`preparing.${what}`, { n: left }) : "";
}

const COMMANDS = {
  hint: () => panel.ask(server, say),
  flip() {
    set("flip", !settings.flip);
    redraw();
  },
  new: () => tried(dialogs.newGame(state)),
  games: () => tried(dialogs.games()),
  position: () => dialogs.position(state),
  settings: () => dialogs.settings(state, shell.languages),
  help: () => dialogs.help(),
  notation: () => typed.focus(),
  copy: async () => {
    if (await copied(state.fen)) say(`${t("position.copied")}: ${state.fen}`);
  },
};

await shell.start();
const server = shell.server = new Server({
  state: take,
  preparing(data) {
    preparing = data;
    showPreparing();
  },
  learning: (data) => learning.take(data),
}, (isGone) => shell.gone(isGone));
