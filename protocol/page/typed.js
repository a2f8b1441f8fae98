/** Typed: what is typed in notation, with what the text may become. */

import { element } from "./elements.js";
import { t } from "./texts.js";

export class Typed {
  /** wants: play(text) -> whether it was done, enter() for no text, complete(text) -> lines. */
  constructor(wants) {
    this.wants = wants;
    this.form = document.getElementById("typed");
    this.input = document.getElementById("notation");
    this.list = document.getElementById("completions");
    this.chosen = -1;
    this.asked = 0;
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
    this.input.addEventListener("input", () => this.complete());
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.input.addEventListener("blur", () => this.close());
  }

  /** key: of the text that says what to type; whether it is offered, and completed. */
  show({ key, isOffered, isCompleted }) {
    this.isCompleted = isCompleted;
    this.input.dataset.label = key;
    this.input.placeholder = t(key);
    this.input.setAttribute("aria-label", t(key));
    this.form.hidden = !isOffered;
    this.close();
  }

  focus() {
    if (!this.form.hidden) this.input.focus();
  }

  async submit() {
    if (this.chosen >= 0) {
      this.take(this.list.children[this.chosen].textContent);
      return;
    }
    const text = this.input.value.trim();
    if (!text) {
      this.wants.enter();
      return;
    }
    this.input.value = "";
    const isDone = await this.wants.play(text);
    if (!isDone && !this.input.value) this.input.value = text;
  }

  async complete() {
    const { value } = this.input;
    if (!this.isCompleted || !value.trim()) {
      this.close();
      return;
    }
    const number = (this.asked += 1);
    const lines = await this.wants.complete(value);
    if (number !== this.asked || this.input.value !== value) return;
    this.chosen = -1;
    this.list.replaceChildren(...lines.slice(0, 12).map((line, nth) => element(
      "li",
      { role: "option", id: `completion-${nth}`, "aria-selected": "false", onpointerdown: (event) => {
        event.preventDefault();
        this.take(line);
      } },
      line,
    )));
    this.open(lines.length > 0);
  }

  open(isOpen) {
    this.list.hidden = !isOpen;
    this.input.setAttribute("aria-expanded", `${isOpen}`);
    if (!isOpen) this.input.removeAttribute("aria-activedescendant");
  }

  close() {
    this.asked += 1;
    this.chosen = -1;
    this.open(false);
  }

  take(line) {
    this.input.value = line;
    this.close();
    this.input.focus();
  }

  choose(nth) {
    const count = this.list.children.length;
    this.chosen = (nth + count) % count;
    for (const [place, each] of [...this.list.children].entries()) {
      each.setAttribute("aria-selected", `${place === this.chosen}`);
      if (place === this.chosen) each.scrollIntoView({ block: "nearest" });
    }
    this.input.setAttribute("aria-activedescendant", `completion-${this.chosen}`);
  }

  key(event) {
    const isOpen = !this.list.hidden;
    if (isOpen && event.key === "ArrowDown") this.choose(this.chosen + 1);
    else if (isOpen && event.key === "ArrowUp") this.choose(this.chosen < 0 ? -1 : this.chosen - 1);
    else if (isOpen && event.key === "Tab" && !event.shiftKey) this.take(this.list.children[Math.max(0, this.chosen)].textContent);
    else if (event.key === "Escape") {
      if (isOpen) this.close();
      else this.input.blur();
    } else if (event.key !== "Enter" || !event.repeat) return; // one held answers once
    event.preventDefault();
    event.stopPropagation();
  }
}
