/** Board focus: it stays where it was on a board that is drawn anew, and goes on for whoever uses keys. */

export class BoardFocus {
  /** nameOf(element): a selector of it, if it is on the board and may have the focus; next: those of where keys go on. */
  constructor(holder, nameOf, next) {
    Object.assign(this, { holder, nameOf, next, keyed: null });
    document.addEventListener("pointerdown", () => {
      this.keyed = null;
    });
  }

  /** A key was pressed there. */
  press(element) {
    this.keyed = this.nameOf(element);
  }

  /** What has the focus on the board, or had it when a key was pressed there and nothing has it now. */
  held() {
    const { activeElement } = document;
    if (activeElement !== document.body && !this.holder.contains(activeElement)) this.keyed = null;
    return this.nameOf(activeElement) ?? this.keyed;
  }

  /** Give the focus back; to whoever goes by keys by the first that may be used, if that may not be any more. */
  giveBack(name) {
    if (!name) return;
    const names = [`${name}[tabindex]`, ...(this.keyed ? this.next : [])];
    names.map((each) => this.holder.querySelector(each)).find(Boolean)?.focus();
  }
}
