/**
 * Texts: every word, number and piece of notation on the page, in the language chosen.
 *
 * The server's sentences are English. The English file has their forms, by keys that begin with
 * `error.`; whoever reads another language is told the text of that key with the same values.
 */

const ENGLISH = "en";
const FORM = "error.";
/** What keys of words begin with that stand in notation, as the server writes them. */
const NOTATION = "notation.";

let wanted = "";
let spoken = "";
let words = {};
let forms = [];
let plurals = new Intl.PluralRules(ENGLISH);
let times = new Intl.DateTimeFormat(ENGLISH);

async function textsOf(language) {
  const answer = await fetch(`texts/${language}.json`);
  if (!answer.ok) throw new Error(`no texts in ${language}`);
  return answer.json();
}

/** Read the file of a language, and put its words into the page; false if it is spoken already or another was chosen since. */
export async function speak(language) {
  wanted = language;
  if (spoken === language) return false;
  const [own, english] = await Promise.all([textsOf(language), language === ENGLISH ? null : textsOf(ENGLISH)]);
  if (wanted !== language) return false;
  spoken = language;
  words = own;
  forms = formsOf(english ?? own);
  plurals = new Intl.PluralRules(language);
  times = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  document.documentElement.lang = language;
  translate(document);
  return true;
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

/** The sentences of the server as patterns, those that say most first: they are the narrowest. */
function formsOf(english) {
  const plain = (form) => form.replace(/\{\w+\}/g, "").length;
  return Object.entries(english)
    .filter(([key]) => key.startsWith(FORM))
    .sort(([, one], [, other]) => plain(other) - plain(one))
    .map(([key, form]) => {
      const exact = form.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{(\w+)\}/g, "(?<$1>.+?)");
      return [key, new RegExp(`^${exact}$`, "s")];
    });
}

/** A sentence of the server in this language, null if it has no form; its values may be clauses. One that is whole begins with a capital, but for moves and names. */
function told(sentence, isWhole = false) {
  for (const [key, form] of forms) {
    const found = form.exec(sentence);
    if (found) {
      const isFirst = (name) => words[key].startsWith(`{${name}}`);
      const values = Object.entries(found.groups ?? {}).map(([name, value]) =>
        [name, told(value, isWhole && isFirst(name)) ?? quoted(notation(value))]);
      const text = t(key, Object.fromEntries(values));
      return isWhole && !words[key].startsWith("{") ? text[0].toUpperCase() + text.slice(1) : text;
    }
  }
  return null;
}

/** What the server quotes, in the quotes of this language. */
const quoted = (value) => value.replace(/^'([^']*)'$/, (_, text) => t("quoted", { text }));

/** The reason that the server gives, in this language, as a sentence that stands alone. */
export function reason(sentence) {
  const text = told(sentence, true) ?? t("told.other", { text: sentence });
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** A number with so many decimals; with a sign if it is signed. */
export function number(value, digits = 3, signed = false) {
  if (value === null || value === undefined) return "–";
  const [whole, part] = Math.abs(value).toFixed(digits).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, words["number.group"]);
  const text = part ? grouped + words["number.decimal"] + part : grouped;
  const sign = value < 0 && Number(text.replace(/\D/g, "")) > 0 ? "−" : signed ? "+" : "";
  return sign + text;
}

/** A chance in percent, without the sign. */
export const percent = (chance) => number(100 * chance, 1);

/** A number of percents, with the sign. */
export const percents = (value, digits = 1) => t("number.percent", { n: number(value, digits) });

/** A moment as ISO 8601 writes it. */
export const moment = (text) => times.format(new Date(text));

/** The words of notation as the server reads and writes them. */
const notationWords = () =>
  Object.keys(words).filter((key) => key.startsWith(NOTATION)).map((key) => key.slice(NOTATION.length));

/** A text in notation as people of this language write it. */
export const notation = (text) =>
  (text ?? "").replace(/\b[a-z]+\b/g, (word) => words[NOTATION + word] ?? word);

/** A text in notation that was typed, or the beginning of one, in the words that the server reads. */
export const plainText = (text) =>
  text.replace(/\p{L}+/gu, (typed) => {
    const small = typed.toLowerCase();
    const word = notationWords().find((each) => words[NOTATION + each].startsWith(small));
    if (!word) return typed;
    return words[NOTATION + word] === small ? word : word.slice(0, small.length);
  });
