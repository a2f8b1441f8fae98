/** Dialog: the one dialog of a page, and what it has in every game. */

import { choice, copied, element, field, shownKey, toggle } from "./elements.js";
import { dress, set, settings } from "./settings.js";
import { number, reason, t } from "./texts.js";

const DELAYS = [0, 0.2, 0.5, 1, 2, 4];
const THEMES = ["auto", "light", "dark", "contrast"];
const SPEEDS = ["off", "fast", "normal", "slow"];

export class Dialog {
  /** wants: act(name, more) -> whether it was done, redraw(), speak(language), state(). KEYS, of a class: those that help tells. */
  constructor(wants) {
    this.wants = wants;
    this.dialog = document.getElementById("dialog");
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
  }

  open(name, ...parts) {
    const close = element("button", { type: "button", class: "close", "aria-label": t("dialog.close"), onclick: () => this.dialog.close() }, "×");
    const head = element("div", { class: "head" }, element("h2", { id: "dialog-title" }, t(`${name}.title`)), close);
    this.dialog.dataset.name = name;
    this.dialog.replaceChildren(head, ...parts);
    this.dialog.querySelector("select, input, .head ~ * button")?.setAttribute("autofocus", "");
    if (!this.dialog.open) this.dialog.showModal();
  }

  /** Close the dialog when that was done, unless another stands there by then. */
  async closeAfter(promise) {
    const head = this.dialog.querySelector(".head");
    if ((await promise) && head.isConnected) this.dialog.close();
  }

  /** Change a wish for the page, and show it. */
  change(name, value) {
    set(name, value);
    dress();
    this.wants.redraw();
  }

  /** A choice among words for a wish for the page. */
  wish(name, words) {
    const options = words.map((each) => [each, t(`settings.${name}.${each}`)]);
    return field(t(`settings.${name}`), choice(options, settings[name], { "data-name": name, onchange: (event) => this.change(name, event.target.value) }));
  }

  /** A switch for a wish for the page. */
  flag(name) {
    return toggle(t(`settings.${name}`), element("input", { type: "checkbox", checked: settings[name], "data-name": name, onchange: (event) => this.change(name, event.target.checked) }));
  }

  /** A choice of something that the server keeps; read: the value from its text. */
  kept(name, options, value, read = String) {
    return field(t(`settings.${name}`), choice(options, value, { "data-name": name, onchange: (event) =>
      this.wants.act("settings", { [name]: read(event.target.value) }) }));
  }

  language(languages, again) {
    const spoken = choice(languages, document.documentElement.lang, { "data-name": "language", onchange: async (event) => {
      await this.wants.speak(event.target.value);
      again();
    } });
    for (const each of spoken.options) each.lang = each.value;
    return field(t("settings.language"), spoken);
  }

  theme() {
    return this.wish("theme", THEMES);
  }

  speed() {
    return this.wish("speed", SPEEDS);
  }

  delay(at) {
    return this.kept("delay", DELAYS.map((each) => [each, t("settings.seconds", { n: number(each, each % 1 ? 1 : 0) })]), at, Number);
  }

  /** Whether the server plays what is forced by itself. */
  auto(isOn) {
    return toggle(t("settings.auto"), element("input", { type: "checkbox", checked: isOn, "data-name": "auto", onchange: (event) =>
      this.wants.act("settings", { auto: event.target.checked }) }));
  }

  /** What mouse and keys do. */
  help() {
    const rows = this.constructor.KEYS.map((each) => element("div", {},
      element("dt", {}, element("kbd", {}, shownKey(each))), element("dd", {}, t(`help.${each === "?" ? "help" : each}`))));
    this.open("help", element("p", {}, t("help.mouse")), element("p", {}, t("help.typed")), element("dl", { class: "keys" }, rows));
  }
}

/** A game that cannot be read, and why. */
export const brokenRow = (name, failed) => element("li", {},
  element("p", {}, element("strong", {}, `${name}: ${t("games.unreadable")}`)), element("small", {}, reason(failed)));

/** A titled group of fields. */
export const group = (title, ...fields) => element("fieldset", {}, element("legend", {}, t(title)), fields);

/** A text with a button that copies it. */
export const copyRow = (name, value) => element("div", { class: "copy" },
  field(t(`position.${name}`), element("input", { type: "text", readonly: true, value, "data-name": name })),
  element("button", { type: "button", "data-copy": name, onclick: async ({ currentTarget: place }) => {
    if (await copied(value)) place.textContent = t("position.copied");
  } }, t("position.copy")));
