/** Drag: a piece follows a finger or the mouse from its place on a board to another. */

const DRAGGED = 8;
/** Milliseconds in which the click comes that a drag ends with. */
const CLICKED = 50;

export class Drag {
  /**
   * wants: from(target) -> the place from which a piece may be taken there, none if none may; lift(place) -> the
   * piece, and what follows the pointer for it; drop(from, to), the latter undefined outside of all places.
   */
  constructor(holder, wants) {
    Object.assign(this, { holder, wants, held: null, wasDragged: false });
    holder.addEventListener("pointerdown", (event) => this.down(event));
    holder.addEventListener("pointermove", (event) => this.follow(event));
    holder.addEventListener("pointerup", (event) => this.up(event));
    holder.addEventListener("pointercancel", (event) => event.pointerId === this.held?.pointer && this.letGo());
  }

  /** Whether a drag has ended with the click that comes now; the next click is one of its own. */
  endsByClick() {
    const { wasDragged } = this;
    this.wasDragged = false;
    return wasDragged;
  }

  down(event) {
    this.wasDragged = false;
    const from = event.button === 0 && !this.held?.ghost && this.wants.from(event.target);
    if (!from) return;
    this.held = { pointer: event.pointerId, from, x: event.clientX, y: event.clientY, ghost: null };
    event.target.releasePointerCapture?.(event.pointerId);
  }

  follow(event) {
    const { held } = this;
    if (held?.pointer !== event.pointerId) return;
    if (!held.ghost) {
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < DRAGGED) return;
      const [piece, ghost] = this.wants.lift(held.from);
      piece.classList.add("lifted");
      ghost.classList.add("ghost");
      held.ghost = ghost;
      this.svg.append(ghost);
      this.holder.setPointerCapture(event.pointerId);
    }
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    held.ghost.setAttribute("transform", `translate(${x} ${y})`);
  }

  up(event) {
    const { held } = this;
    if (held?.pointer !== event.pointerId) return;
    this.letGo();
    if (!held.ghost) return;
    this.wasDragged = true;
    setTimeout(() => {
      this.wasDragged = false;
    }, CLICKED);
    const under = document.elementFromPoint(event.clientX, event.clientY);
    this.wants.drop(held.from, under?.closest?.(".place")?.dataset.place);
  }

  get svg() {
    return this.holder.querySelector("svg.board");
  }

  letGo() {
    this.held?.ghost?.remove();
    this.holder.querySelector(".lifted")?.classList.remove("lifted");
    this.held = null;
  }
}
