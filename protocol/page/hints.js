/** Hints: asked for once for each board, and shown beside it. */

import { element } from "./elements.js";
import { named, t } from "./texts.js";

export class Hints {
  /** hinted: the hint that is shown, with the version of the table that it is for. */
  constructor() {
    this.rows = document.getElementById("hint-rows");
    this.hinted = null;
    this.asking = { version: null };
  }

  /** Ask for a hint about the state; nobody waits for that of an earlier one any more. */
  async ask(server, say) {
    const { version } = this.state;
    if (this.asking.version === version) return;
    this.asking.ends?.abort();
    const own = (this.asking = { version, ends: new AbortController() });
    this.rows.replaceChildren(element("p", { class: "faint" }, t("hint.waiting")));
    try {
      const told = await server.post("hint", { version }, false, own.ends.signal);
      if (told) this.showHint({ version, ...told });
    } catch (error) {
      if (this.asking !== own) return;
      this.forgetHint();
      if (error.message) say(error.message);
    }
    if (this.asking === own) this.asking = { version: null };
  }

  forgetHint() {
    this.hinted = null;
    this.rows.replaceChildren();
  }

  /** Show a hint, if it is for the table as it is now. */
  showHint(hint) {
    if (hint.version !== this.state.version) {
      this.forgetHint();
      return;
    }
    this.hinted = hint;
    const level = t("hint.level", { level: named("level.", hint.level) });
    this.rows.replaceChildren(this.hintRows(hint), element("p", { class: "faint" }, level));
  }
}
