/** Texts: every word, number and piece of notation on the page, in the language chosen. */

let words = {};
let plurals = new Intl.PluralRules("en");

/** Read the file of a language, and put its words into the page. */
export async function speak(language) {
  const answer = await fetch(`texts/${language}.json`);
  if (!answer.ok) throw new Error(`no texts in ${language}`);
  words = await answer.json();
  plurals = new Intl.PluralRules(language);
  document.documentElement.lang = language;
  translate(document);
}

/** Put the words into everything below an element that names them. */
export function translate(root) {
  for (const each of root.querySelectorAll("[data-t]")) each.textContent = t(each.dataset.t);
  for (const each of root.querySelectorAll("[data-label]")) {
    const text = t(each.dataset.label);
    each.setAttribute("aria-label", text);
    if (each.matches("input")) each.placeholder = text;
  }
  for (const each of root.querySelectorAll("nav button")) {
    each.setAttribute("aria-label", each.querySelector("span").textContent);
    each.title = each.querySelector("span").textContent;
  }
}

/** The text of that key, {name} replaced by a value; n chooses among plural forms. */
export function t(key, values = {}) {
  let text = words[key];
  if (text === undefined) return `⟦${key}⟧`;
  if (typeof text === "object") text = text[plurals.select(Math.abs(Number(values.n)))];
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** Whether there is a text of that key. */
export const has = (key) => key in words;

/** The text of that key, or the word itself: for names that people may give. */
export const named = (prefix, word) => (has(prefix + word) ? t(prefix + word) : word);

/** A number with so many decimals; with a sign if it is signed. */
export function number(value, digits = 3, signed = false) {
  if (value === null || value === undefined) return "–";
  const text = Math.abs(value).toFixed(digits).replace(".", words["number.decimal"]);
  const sign = value < 0 && Number(text.replace(/\D/g, "")) > 0 ? "−" : signed ? "+" : "";
  return sign + text;
}

/** A chance in percent, without the sign. */
export const percent = (chance) => number(100 * chance, 1);

/** A play as people of this language write it. */
export const notation = (text) =>
  (text ?? "").replace(/\bbar\b/g, words["notation.bar"]).replace(/\boff\b/g, words["notation.off"]);
