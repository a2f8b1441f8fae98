"""A walk through what a page shows, in every language."""

import re

ENGLISH = re.compile(
    r"\b(the|is|are|has|have|not|cannot|can|with|and|of|or|you|your|from|where|which|plays?|rolls?"
    r"|match|checkers?|points?|doubles?|wins?|board|file|level|off|position)\b",
    re.IGNORECASE,
)
"""Words that English sentences have, and none of the others."""

NAMES = re.compile(r"'[^']*'|„[^“]*“|»[^«]*«|\S*[/:]\S*|XGID=\S+")
"""What no language says otherwise: files, plays, IDs, and what people have typed."""

SHOWN = """
const texts = [];
const isSeen = (each) => each.checkVisibility({visibilityProperty: true}) || each.closest('#live');
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) {
  const {parentElement: holder, textContent} = walk.currentNode;
  const isOwn = holder.closest('[lang]') === document.documentElement;
  if (isOwn && (isSeen(holder) || holder.closest('select')))
    texts.push(...textContent.split('\\n'));
}
for (const each of document.querySelectorAll('[aria-label], [title], [placeholder]'))
  for (const name of ['aria-label', 'title', 'placeholder'])
    if (isSeen(each)) texts.push(each.getAttribute(name));
return [...new Set(texts.filter(Boolean).map((each) => each.trim()))];
"""


class Walk:
    """A walk through states of the page, which looks at each in every language."""

    def __init__(self, visitor, texts):
        self.visitor = visitor
        self._texts = texts
        self._others = sorted(set(texts) - {"en"})
        self.seen = set()
        self.faults = {}

    def speak(self, language):
        self.visitor.run(
            "const box = document.getElementById('language'); box.value = arguments[0];"
            "box.dispatchEvent(new Event('change'))",
            language,
        )
        self.visitor.wait_for(
            "const menu = document.querySelector('[data-t=\"menu.help\"]').textContent;"
            "return document.documentElement.lang === arguments[0] && menu === arguments[1]",
            language,
            self._texts[language]["menu.help"],
        )

    def look(self, state, again=lambda: None):
        """Compare what is shown with what English shows; again: do again what brings it about."""
        shown = {}
        for language in ("en", *self._others):
            self.speak(language)
            again()
            shown[language] = set(self.visitor.run(SHOWN))
        for language in self._others:
            meant = {text for text in self._texts[language].values() if isinstance(text, str)} | {
                "Blot"
            }
            same = {
                text
                for text in shown[language] & shown["en"] - meant
                if re.search(r"[^\W\d_]{4}", text) and ":" not in text
            }
            english = {text for text in shown[language] if ENGLISH.search(NAMES.sub("", text))}
            missing = {text for text in shown[language] if "⟦" in text}
            if found := same | english | missing:
                self.faults[state, language] = found
        self.seen.add(state)


def wrong_plurals(visitor):
    """The texts that do not have exactly the plural forms of their language, by the browser."""
    return visitor.driver.execute_async_script(
        "const done = arguments[0]; (async () => { const wrong = [];"
        "for (const name of await (await fetch('languages')).json()) {"
        "  const {pluralCategories} = new Intl.PluralRules(name).resolvedOptions();"
        "  const texts = await (await fetch(`texts/${name}.json`)).json();"
        "  for (const [key, text] of Object.entries(texts)) if (typeof text === 'object'"
        "    && Object.keys(text).sort().join() !== [...pluralCategories].sort().join())"
        "    wrong.push(`${name} ${key}`); }"
        "done(wrong); })()"
    )


def untold(walk, sentences, texts):
    """Sentences of the server that another language tells in English, with the language."""
    wrong = []
    for language in sorted(set(texts) - {"en"}):
        walk.speak(language)
        told = walk.visitor.driver.execute_async_script(
            "const [sentences, done] = arguments;"
            "import('./shared/texts.js').then(({reason}) => done(sentences.map(reason)))",
            sentences,
        )
        other = texts[language]["told.other"].partition("{")[0]
        wrong.extend(
            (language, text)
            for sentence, text in zip(sentences, told, strict=True)
            if text == sentence
            or ENGLISH.search(NAMES.sub("", text))
            or (other and text.startswith(other))
            or "undefined" in text
        )
    return wrong
