/** Elements: pieces of the page made in one expression. */

/** A new element with these properties (class, data-... and aria-... as attributes) and children. */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "value" || key === "checked") made[key] = value;
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((each) => each !== null && each !== undefined));
  return made;
}

/** A button with its key, which is shown. */
export function keyButton(text, key, act, properties = {}) {
  return element(
    "button",
    { type: "button", onclick: act, "aria-keyshortcuts": key, ...properties },
    element("span", {}, text),
    key ? element("kbd", { "aria-hidden": "true" }, shownKey(key)) : null,
  );
}

export const shownKey = (key) => ({ Enter: "⏎", Escape: "Esc" })[key] ?? key.toUpperCase();

/** A choice among [value, text]. */
export function choice(options, chosen, properties = {}) {
  const made = element(
    "select",
    properties,
    options.map(([value, text]) => element("option", { value: `${value}` }, text)),
  );
  made.value = `${chosen}`;
  return made;
}

/** A labelled field. */
export const field = (text, input) => element("label", { class: "field" }, element("span", {}, text), input);

/** A labelled switch. */
export const toggle = (text, input) => element("label", { class: "toggle" }, input, element("span", {}, text));

/** Copy a text to the clipboard; whether that was possible. */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // A page that may not write there, or one of another machine, which has no such clipboard.
    const field = element("textarea", { class: "unseen", value: text });
    (document.querySelector("dialog[open]") ?? document.body).append(field);
    field.select();
    const isDone = document.execCommand("copy");
    field.remove();
    return isDone;
  }
}

/** A table of rows of cells; the first cell of a row is its heading. */
export function table(titles, rows, properties = {}) {
  const head = titles.map(([title, label]) =>
    element("th", { scope: "col", "aria-label": label, title: label }, title));
  const body = rows.map(({ cells: [first, ...cells], ...more }) =>
    element("tr", more, element("th", { scope: "row" }, first), cells.map((each) => element("td", {}, each))));
  return element("table", properties, element("thead", {}, element("tr", {}, head)), element("tbody", {}, body));
}
