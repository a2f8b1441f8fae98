"""SGF: matches as trees of nodes, in the dialect of GNU Backgammon.

White is the player on seat 0, GNU Backgammon's player 0, and Black the one on seat 1. Whatever the
nodes hold that no rule asks for, analysis above all, is kept as it stands.
Source: GNU Backgammon 1.08, sgf.c; https://www.red-bean.com/sgf/backgammon.html.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator

from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.game import Game
from bot.backgammon.rules.match import MAX_LENGTH
from bot.backgammon.rules.play import legal_plays
from bot.backgammon.rules.record import Annotations, MatchRecord, Occasion, Rules
from bot.backgammon.rules.recorder import Recorder
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.match_reading import Fault, Games, ReadMatch, best_reading, throw
from protocol.backgammon.formats.notation import BAR, OFF, parse_legs
from protocol.backgammon.formats.sgf_grammar import Collection, Node, parse_collection
from protocol.backgammon.formats.sgf_set_up import COLOURS, SETS_UP, SetUp, cube_turned, seat_of

GAME_OF_BACKGAMMON = "6"
GNUBG = "GNU Backgammon"
ROOT = {
    *("FF", "GM", "CA", "AP", "MI", "PW", "PB", "WR", "BR", "DT", "EV", "RO", "PC", "AN", "GC"),
    *("RU", "CV", "RE", "C"),
}
"""Properties of a root that are read, or written anew."""

KNOWN = {"B", "W", "C", *SETS_UP}
VARIATIONS = ("nackgammon", "hypergammon")
PLAY = re.compile(r"(?P<dice>[1-6][1-6])(?P<legs>(?:[a-z][a-z]){0,4})")
RESULT = re.compile(r"(?P<colour>[WB])\+(?P<points>\d{1,9})(?P<resigned>R?)[A-Za-z]*")
NO_RESULT = ("", "?", "0", "draw", "void")
"""Values of RE in SGF FF[4] that tell no result: it is unknown, or there was none."""


def parse_sgf(text: str) -> ReadMatch:
    """The match in the text, as far as it can be: to the first node that cannot be.

    Raises ValueError with one sentence if there is no backgammon in it.
    """
    text = text.removeprefix("\ufeff")
    collection = parse_collection(text)
    trees = [
        tree for tree in collection.trees if tree and tree[0].value("GM") == GAME_OF_BACKGAMMON
    ]
    if not trees:
        raise ValueError("no SGF file of backgammon: no tree begins with GM[6]")
    place = _Places(text)
    return best_reading(
        _Reader(trees, rules, collection, place).read() for rules in _rules(trees[0][0])
    )


def _hint(tree: list[Node]) -> Node | None:
    """The last node, if GNU Backgammon has added it for its hint and nobody has done what it tells.

    It is the best play, behind the roll as a node of its own; a second double or a take by who has
    doubled; or the double that was thought of, with its analysis, in a game without a play.
    """
    if len(tree) < 3 or not _is_gnubgs(tree[0]):
        return None
    *earlier, before, last = tree
    colour, action = _action(last)
    is_roll = before.properties.keys() & KNOWN == {"PL", "DI"}
    is_hint = action in ("double", "take") and _action(before) == (colour, "double")
    if action == "double":
        is_hint |= "DA" in last.properties and not any(
            _action(node)[0] for node in (*earlier, before)
        )
    else:
        is_hint |= is_roll and before.value("PL") == colour
    return last if is_hint else None


def _is_gnubgs(root: Node) -> bool:
    """Whether GNU Backgammon has written the tree."""
    return root.value("AP").startswith(GNUBG)


def _action(node: Node) -> tuple[str, str]:
    """The colour and what it does in a node; empty if it does nothing."""
    return next(((each, node.value(each)) for each in COLOURS if each in node.properties), ("", ""))


class _Places:
    """Places in a text, by lines."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(found.end() for found in re.finditer(r"\n", text))]

    def fault(self, offset: int, reason: str) -> Fault:
        line = bisect_right(self._starts, offset)
        return Fault(line, offset - self._starts[line - 1] + 1, reason)


def _info(root: Node) -> dict[str, str]:
    """The facts of the match in the root: its length, the game's number, the scores."""
    return dict(value.partition(":")[::2] for value in root.properties.get("MI", ()))


def _number(info: dict[str, str], name: str) -> int:
    """A number of the root; 0 if it is not told."""
    told = info.get(name, "0").strip()
    if not (told.isascii() and told.isdigit() and len(told) < 10):
        raise ValueError(f"{name} is no number: {told[:40]!r}")
    return int(told)


def _words(root: Node) -> set[str]:
    return {
        word.strip().lower() for value in root.properties.get("RU", ()) for word in value.split(":")
    }


def _rules(root: Node) -> Iterator[Rules]:
    """The rules that may be meant.

    GNU Backgammon does not tell whether beavers are allowed, and calls a game Crawford's that it
    has read from a .mat file, though somebody doubles there.
    """
    words = _words(root)
    for word in words:
        if word.startswith(VARIATIONS):
            raise ValueError(f"{word[:40]} is another game than backgammon")
    length = _number(_info(root), "length") or None
    if length is not None and length > MAX_LENGTH:
        raise ValueError(f"a match has 1 to {MAX_LENGTH} points, not {length}")
    has_cube = "nocube" not in words
    if length is not None:
        for crawford in dict.fromkeys((not has_cube or "crawford" in words, not has_cube)):
            yield Rules(length, has_cube=has_cube, crawford=crawford)
    elif not has_cube:
        yield Rules(None, has_cube=False)
    else:
        for beavers in dict.fromkeys(("beavers" in words, True)):
            yield Rules(None, jacoby="jacoby" in words, beavers=beavers)


class _Reader:
    """Reads all games by certain rules, node by node, and stops at the first fault."""

    def __init__(
        self, trees: list[list[Node]], rules: Rules, collection: Collection, places: _Places
    ) -> None:
        self._trees = trees
        self._rules = rules
        self._collection = collection
        self._places = places
        self._games = Games(rules)
        self._carried: tuple[str, Annotations] = "", ()
        self._set_up: SetUp | None = None
        self._hint: Node | None = None

    def read(self) -> ReadMatch:
        """The match in the trees."""
        root = self._trees[0][0]
        players = root.value("PW"), root.value("PB")
        fault = None
        offset, node_number = root.offset, 1
        try:
            for tree in self._trees:
                offset, node_number = tree[0].offset, 1
                self._begin(tree[0], players)
                self._hint = _hint(tree)
                for node_number, node in enumerate(tree, start=1):
                    offset = node.offset
                    self._take(node, is_root=node_number == 1, is_last=node is tree[-1])
                is_cut = self._collection.broken is not None and tree is self._collection.trees[-1]
                self._end(tree[0], is_cut=is_cut)
        except ValueError as error:
            number = max(len(self._games.records), 1)
            fault = self._places.fault(offset, f"game {number}, node {node_number}: {error}")
        if fault is None and self._collection.broken is not None:
            fault = self._places.fault(*self._collection.broken)
        return ReadMatch(self._match(root, players), fault)

    def _match(self, root: Node, players: tuple[str, str]) -> MatchRecord:
        occasion = Occasion(
            event=root.value("EV"),
            round=root.value("RO"),
            place=root.value("PC"),
            date=root.value("DT"),
            annotator=root.value("AN"),
            ratings=(root.value("WR"), root.value("BR")),
        )
        try:
            first = _number(_info(root), "game") + 1
        except ValueError:
            first = 1
        games = self._games.records
        return MatchRecord(players, self._rules, games, occasion, root.value("GC"), first)

    def _begin(self, root: Node, players: tuple[str, str]) -> None:
        if (root.value("PW"), root.value("PB")) != players:
            raise ValueError("the players are others than in the first game")
        info = _info(root)
        if (_number(info, "length") or None) != self._rules.length:
            raise ValueError("the match is another one than in the first game")
        points = _number(info, "ws"), _number(info, "bs")
        has_crawford = self._rules.has_cube and self._rules.crawford
        is_crawford = has_crawford and "crawfordgame" in _words(root)
        recorder = self._games.begin(points, is_crawford=is_crawford)
        recorder.comment = root.value("C")
        recorder.annotations = _annotations(root, ROOT | KNOWN)
        self._carried = "", ()
        self._set_up = None
        if "CV" in root.properties:
            turned = cube_turned(recorder.going_on, root.value("CV"))
            if turned != recorder.going_on:
                recorder.add(turned)

    def _take(self, node: Node, *, is_root: bool, is_last: bool) -> None:
        recorder = self._recorder
        actions = [
            (colour, value) for colour in COLOURS for value in node.properties.get(colour, ())
        ]
        if len(actions) > 1:
            raise ValueError("a node has one action")
        action = actions[0] if actions else None
        sets_up = SETS_UP & node.properties.keys() - ({"CV"} if is_root else set())
        if action and not sets_up:
            self._settle_for(*action)  # before the comment, which is beside the action
        if node is self._hint:
            return
        if not is_root:
            comment, annotations = node.value("C"), _annotations(node, KNOWN)
            kept = self._carried
            texts = [text for text in (kept[0], comment) if text]
            self._carried = "\n".join(texts), kept[1] + annotations
        if sets_up:
            self._set_up = self._set_up or SetUp(recorder.going_on)
            self._set_up.take(node)
            if action:
                self._settle_for(*action)
        if action:
            colour, value = action
            self._act(seat_of(colour), value.strip(), is_last=is_last)

    @property
    def _recorder(self) -> Recorder:
        recorder = self._games.recorder
        if recorder is None:
            raise ValueError("a game is missing")
        return recorder

    def _settle_for(self, colour: str, action: str) -> None:
        """Go on from the position that was set up, for an action of that colour."""
        word = action.strip().lower()
        is_answer = word in ("take", "drop")
        if self._set_up:
            if word == "double":
                self._set_up.take_back_roll()  # as `set turn` does, without a node
            elif self._set_up.is_opening_of(1 - seat_of(colour)):
                self._set_up = None  # GNU Backgammon's own roll, and whose turn it is, were changed
        if self._set_up and not is_answer and _is_gnubgs(self._trees[0][0]):
            self._set_up.go_on(seat_of(colour), word[:2])
        self._settle()
        if not is_answer:
            self._give_turn(colour)

    def _give_turn(self, colour: str) -> None:
        """Give the turn to who acts: GNU Backgammon's `set turn` has no node."""
        game = self._recorder.game
        if not isinstance(game, Game) or game.doubles or not _is_gnubgs(self._trees[0][0]):
            return
        if game.turn == 1 - seat_of(colour):
            self._set_up = SetUp(game)
            self._set_up.take(Node(0, {"PL": [colour]}))
            self._settle()

    def _settle(self) -> None:
        """Go on from the position that was set up, if there is one."""
        if self._set_up is not None:
            answer = self._set_up.answer
            self._set_up = None
            if answer is not None:
                self._recorder.add(answer, *self._taken())

    def _taken(self) -> tuple[str, Annotations]:
        """The comments beside the nodes so far, which now have their place."""
        carried, self._carried = self._carried, ("", ())
        return carried

    def _act(self, seat: int, value: str, *, is_last: bool) -> None:
        recorder = self._recorder
        word = value.lower()
        if word in ("double", "take", "drop"):
            game = recorder.going_on
            if seat != game.asked:
                raise ValueError(f"the other player is to answer, not the one to {word}")
            if word == "double":
                answer = DoubleAnswer.BEAVER if game.doubles else CubeAction.DOUBLE
                recorder.add(answer, *self._taken())
            else:
                recorder.add(DoubleAnswer(word), *self._taken())
            return
        found = PLAY.fullmatch(value)
        if not found:
            raise ValueError(f"cannot read the action {value[:40]!r}")
        roll = Roll.of_dice(*map(int, found["dice"]))
        position = throw(recorder, seat, roll).state.position
        if is_last and not found["legs"] and legal_plays(position, roll):
            return  # GNU Backgammon saves a roll that is still to be played so
        legs = parse_legs(legs_of_letters(found["legs"], seat), position, roll)
        recorder.add(legs, *self._taken())

    def _end(self, root: Node, *, is_cut: bool) -> None:
        """Settle how the game ended."""
        recorder = self._recorder
        self._settle()
        comment, annotations = self._taken()
        if comment:
            kept = recorder.comment
            recorder.comment = f"{kept}\n{comment}" if kept else comment
        recorder.annotations += annotations
        told = root.value("RE").strip()
        if is_cut or told.lower() in NO_RESULT:
            return
        found = RESULT.fullmatch(told)
        if not found:
            raise ValueError(f"cannot read the result {told[:40]!r}")
        if not found["resigned"]:
            recorder.check_over()
        recorder.end(seat_of(found["colour"]), int(found["points"]))


def legs_of_letters(letters: str, seat: int) -> str:
    """The play of a seat in pairs of letters as people type it."""
    points = [_point(letter, seat) for letter in letters]
    return " ".join(f"{a}/{b}" for a, b in zip(points[::2], points[1::2], strict=True))


def _point(letter: str, seat: int) -> int:
    """A point as its player counts it: White's ace point is a, Black's is x, y the bar, z off."""
    place = ord(letter) - ord("a") + 1
    if place > BAR:
        return OFF
    return place if seat == 0 or place == BAR else BAR - place


def _annotations(node: Node, known: set[str]) -> Annotations:
    return tuple(
        (name, tuple(values)) for name, values in node.properties.items() if name not in known
    )
