/** Shell: what a page does around its game: messages, languages, files, keys and commands. */

import { element } from "./elements.js";
import { dress, language, set, settings } from "./settings.js";
import { reason, speak, t } from "./texts.js";

const $ = (id) => document.getElementById(id);
const SHOWN = 8000;

/** A language's name for itself. */
function ownName(code) {
  const name = new Intl.DisplayNames([code], { type: "language" }).of(code);
  return name[0].toUpperCase() + name.slice(1);
}

export class Shell {
  /**
   * game: commands by the names that buttons have for them, keys: those names by key; press(key): presses
   * the button with that key and tells whether there was one; escape(): gives up what was begun; isHeld():
   * whether keys mean something else just now; redraw(): shows all again, in another language; refused():
   * hears that something could not be done.
   */
  constructor(game) {
    this.game = game;
    this.isReady = false;
    this.trouble = "";
    this.isAway = false;
    this.languages = [];
    this.message = $("message");
    this.dialog = $("dialog");
  }

  /** Dress the page, speak the language wished for, and listen to mouse and keys. */
  async start() {
    document.addEventListener("click", (event) => this.click(event));
    document.addEventListener("keydown", (event) => this.key(event));
    for (const query of ["(prefers-color-scheme: dark)", "(prefers-contrast: more)"]) {
      matchMedia(query).addEventListener("change", dress);
    }
    dress();
    const known = await fetch("languages").then((answer) => answer.json()).catch(() => ["en"]);
    this.languages = known.map((each) => [each, ownName(each)]);
    await speak(language(known));
    const box = $("language");
    box.append(...this.languages.map(([value, text]) => element("option", { value, lang: value }, text)));
    box.value = document.documentElement.lang;
    box.addEventListener("change", (event) => this.speak(event.target.value));
  }

  /** A new state is about to be shown. */
  begin() {
    this.isReady = true;
    document.body.dataset.busy = "";
  }

  /** A state is shown: tell of its trouble, or that there is none any more. */
  shown({ version, asks, trouble }) {
    const { dataset } = document.body;
    delete dataset.busy;
    Object.assign(dataset, { version, asks });
    if (trouble || this.trouble) this.say(trouble && reason(trouble));
    this.trouble = trouble;
  }

  /** Do something, and tell the reason if it cannot be done; whether it was. */
  async tried(promise) {
    try {
      const answer = await promise;
      this.say("");
      return answer !== null;
    } catch (error) {
      if (error.message) this.say(error.message);
      this.game.refused();
      return false;
    }
  }

  /** Show a sentence for a while, in front of a dialog too. */
  say(text) {
    clearTimeout(this.silence);
    (this.dialog.open ? this.dialog : document.body).append(this.message);
    this.message.textContent = text;
    this.message.hidden = !text;
    if (text) this.silence = setTimeout(() => this.say(""), SHOWN);
  }

  /** Tell whether the server is away. */
  gone(isGone) {
    this.isAway = isGone;
    $("gone").hidden = !isGone;
    $("gone").textContent = isGone ? t("gone") : "";
    if (isGone) this.say(""); // so that nothing stands in front of it
  }

  /** Speak another language from now on. */
  async speak(name) {
    set("language", name);
    if (!(await speak(name))) return;
    $("language").value = name;
    this.gone(this.isAway);
    this.game.redraw();
    this.say("");
  }

  /** Save what the server has for a link, or tell why there is nothing. */
  async save(link) {
    const file = await this.server.file(link.href);
    const url = URL.createObjectURL(file);
    const name = decodeURIComponent(link.href.replace(/^.*\//, ""));
    element("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }

  click(event) {
    const link = event.target.closest("a[download]");
    if (link?.isConnected) {
      event.preventDefault();
      this.tried(this.save(link));
    }
    const isByPointer = event.detail > 0 && !this.dialog.open && !this.game.isHeld();
    if (isByPointer) event.target.closest("button")?.blur(); // so that Enter goes on with the game
    const { open, doPage } = event.target.closest("[data-open], [data-do-page]")?.dataset ?? {};
    if (this.isReady && (open || doPage)) this.game.commands[open ?? doPage]();
  }

  key(event) {
    const isTyping = event.target.matches("input, select, textarea");
    const isOther = event.ctrlKey || event.metaKey || event.altKey;
    if (!this.isReady || this.dialog.open || isTyping || isOther) return;
    const { commands, keys } = this.game;
    if (event.key === "Escape") this.game.escape();
    else if (event.repeat || this.game.isHeld()) return;
    else if (event.key === "Enter") {
      if (!event.target.closest("button, a, summary") && this.game.press("Enter")) event.preventDefault();
    } else if (settings.keys) {
      if (this.game.press(event.key)) event.preventDefault();
      else if (keys[event.key.toLowerCase()]) {
        event.preventDefault();
        commands[keys[event.key.toLowerCase()]]();
      }
    }
  }
}
