/** Shapes: SVG put on a board. */

const NAMESPACE = "http://www.w3.org/2000/svg";
const HEAD = 30;

/** A new SVG element with these attributes. */
export function shape(name, attributes) {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** An arrow between two points, as a closed path with that class. */
export function arrow(from, to, name) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const along = { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
  const head = Math.min(HEAD, length * 0.6);
  const at = (way, side) =>
    `${(from.x + along.x * way - along.y * side).toFixed(1)} ${(from.y + along.y * way + along.x * side).toFixed(1)}`;
  const corners = [
    at(0, 4), at(length - head, 6), at(length - head, 15), at(length, 0),
    at(length - head, -15), at(length - head, -6), at(0, -4),
  ];
  return shape("path", { class: `arrow ${name}`, d: `M${corners.join("L")}Z` });
}

/** Let keys and screen readers use an element as a button. */
export function asButton(element, label) {
  element.setAttribute("tabindex", "0");
  element.setAttribute("role", "button");
  element.setAttribute("aria-label", label);
}
