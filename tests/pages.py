"""The pages in the browser as files: their texts, and the code that asks for them."""

import ast
import inspect
import re
from pathlib import Path

from protocol.backgammon.browser import api as backgammon
from protocol.draughts.browser import api as draughts
from protocol.web import PAGE, texts_of

FOLDERS = {
    module.__name__.split(".")[1]: Path(module.__file__).parent / "page"
    for module in (backgammon, draughts)
}
"""The page of each game."""

LANGUAGES = ("cs", "en", "sl")


def texts(game):
    """The texts of a game's page by language, those that it shares with others among them."""
    return {language: texts_of(FOLDERS[game], language) for language in LANGUAGES}


def code(folder):
    """All that a folder of a page asks with."""
    return "".join(
        path.read_text("utf-8") for path in [*folder.glob("*.js"), *folder.glob("*.html")]
    )


def asked(game):
    """The keys that a page asks for by name."""
    found = re.findall(
        r"""\bt\("([\w.-]+)"|data-(?:t|label)="([\w.-]+)\"""", code(FOLDERS[game]) + code(PAGE)
    )
    return {first or second for first, second in found}


def unasked(texts, content, words):
    """The keys of texts that no code asks for; words: keys for all that the server may say."""
    made = {re.escape(start) for start in re.findall(r"`([a-z_]+\.)(?:\w+\.)?\$", content)}
    made |= {re.escape(start) for start in re.findall(r'\("([a-z]+\.)",', content)}
    known = re.compile("|".join([r"error\.", r"notation\.", r"\w+\.title", *sorted(made)]))
    return {
        name
        for name in texts
        if not known.match(name)
        and not {name, name.removesuffix("_you")} & words
        and f'"{name}"' not in content
        and f'"{name.removesuffix("_you")}"' not in content
    }


def has_form(sentence, english):
    """Whether a sentence of the server has a form among the English texts, to be told in others."""
    forms = (form for key, form in english.items() if key.startswith("error."))
    patterns = (re.sub(r"\\{\w+\\}", "(.+?)", re.escape(form)) for form in forms)
    return any(re.fullmatch(pattern, sentence, re.DOTALL) for pattern in patterns)


def sentences(module, elsewhere):
    """The sentences that the functions of a module raise, or return as reasons.

    elsewhere: functions that no question of a page comes to.
    """
    for function in ast.walk(ast.parse(inspect.getsource(module))):
        if not isinstance(function, ast.FunctionDef) or function.name in elsewhere:
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "").endswith("Error"):
                found = [_sentence_of(argument) for argument in node.args]
            elif isinstance(node, ast.Return) and function.name == "_reason":
                found = [_sentence_of(node.value)]
            else:
                continue
            yield from (text for text in found if text)


def _sentence_of(node):
    """The sentence that an expression makes, with 7 for each value; None if it is no sentence."""
    if isinstance(node, ast.JoinedStr):
        return "".join(
            each.value if isinstance(each, ast.Constant) else "7" for each in node.values
        )
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
