/** Buttons: what a person may do now, each with its key. */

import { keyButton } from "./elements.js";
import { t } from "./texts.js";

export class Buttons {
  /** keys: by the names of acts; primary: the acts that stand out; quiet: that do not. */
  constructor(keys, primary, quiet) {
    Object.assign(this, { keys, primary, quiet });
    this.prompt = document.getElementById("prompt");
    this.buttons = document.getElementById("buttons");
    this.bar = document.getElementById("actions");
  }

  /** Show what is asked, and buttons for it; who had the focus keeps it. */
  fill(prompt, buttons) {
    if (this.prompt.textContent !== prompt) this.prompt.textContent = prompt;
    const held = document.activeElement?.dataset?.do;
    this.buttons.replaceChildren(...buttons);
    if (held) (this.button(held) ?? this.bar).focus();
  }

  button(name) {
    return this.buttons.querySelector(`[data-do="${name}"]:not(:disabled)`);
  }

  /** The buttons of acts, those disabled that may not be done now; words: of acts called otherwise. */
  made(names, may, press, words = {}) {
    return names.map((name) => keyButton(t(`do.${words[name] ?? name}`), this.keys[name], () => press(name), {
      "data-do": name,
      class: this.primary.includes(name) ? "primary" : this.quiet.includes(name) ? "quiet" : undefined,
      disabled: !may.includes(name),
    }));
  }

  /** Press the button with that key, if there is one; whether there was. */
  key(key) {
    const found = [...this.buttons.querySelectorAll("button:not(:disabled)")]
      .find((each) => each.getAttribute("aria-keyshortcuts").toLowerCase() === key.toLowerCase());
    found?.click();
    return Boolean(found);
  }
}
