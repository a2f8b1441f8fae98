/** Settings: a person's wishes for the page, kept by the browser. */

const KEY = "blot";
const DEFAULTS = {
  language: "", theme: "auto", flip: false, numbers: true, arrows: true, speed: "normal", keys: true,
};
/** Milliseconds that a piece moves. */
const SPEEDS = { off: 0, fast: 130, normal: 260, slow: 550 };

const read = () => {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
};

export const settings = { ...DEFAULTS, ...read() };

/** Take a game's own settings, by their values if nothing else was chosen. */
export function wishing(defaults) {
  for (const [name, value] of Object.entries(defaults)) settings[name] ??= value;
}

/** Change a setting and remember it. */
export function set(name, value) {
  settings[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing forgets it with the page.
  }
}

/** The language wished for: chosen before, else the browser's first that is there. */
export function language(languages) {
  if (languages.includes(settings.language)) return settings.language;
  const wishes = navigator.languages.map((each) => each.slice(0, 2).toLowerCase());
  return wishes.find((each) => languages.includes(each)) ?? "en";
}

/** Milliseconds for one piece; none for those who want no motion. */
export const pace = () =>
  matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : SPEEDS[settings.speed] ?? 0;

/** Give the page the theme wished for. */
export function dress() {
  const asked = (query) => matchMedia(query).matches;
  const own = asked("(prefers-contrast: more)") ? "contrast"
    : asked("(prefers-color-scheme: dark)") ? "dark" : "light";
  const root = document.documentElement;
  root.dataset.theme = settings.theme === "auto" ? own : settings.theme;
  root.classList.toggle("numbered", settings.numbers);
}
