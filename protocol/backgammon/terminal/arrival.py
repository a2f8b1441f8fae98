"""Arrival: which game a person sits down to - one that is kept, one from a file, or a new one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from bot.backgammon.engine.level import LEVELS
from protocol.backgammon.table.kept_games import KeptGame, KeptGames, load_kept
from protocol.backgammon.table.table import HUMAN, Setting, Table
from protocol.backgammon.terminal.announcement import score_text
from protocol.backgammon.terminal.board_view import Look
from protocol.backgammon.terminal.conversation import NO, YES
from protocol.errors import sentence

ASKED_LEVELS = f"{', '.join(list(LEVELS)[:-1])} or {list(LEVELS)[-1]}"


class Seated(NamedTuple):
    """A table, where its game is kept, and what is to be told of that once everybody sits."""

    table: Table
    kept: KeptGame
    notice: str = ""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A person's wishes on arrival.

    setting: of a new game, which begin makes. given: the options that only a new game can follow.
    name: of the game, None if nobody said. is_new: whether no kept game is wanted. saved: a game
    from a file. asks_level: whether the opponent's level is still to be asked for. check: raises
    ValueError for a game that cannot be played as it was asked for; nothing is asked before.
    """

    games: KeptGames
    setting: Setting
    begin: Callable[[Setting], Table] = Table
    given: Sequence[str] = ()
    name: str | None = None
    is_new: bool = False
    saved: Table | None = None
    asks_level: bool = False
    check: Callable[[Setting], None] = lambda setting: None

    def seated(self, ask: Callable[[str], str], tell: Callable[[str], None]) -> Seated:
        """The table to play at; raises ValueError with a sentence if there is none.

        A game that is kept is never written over: a new one gets a place of its own.
        """
        if self.saved:
            self.check(self.saved.setting)
        if self.name is not None:
            return self._seated_by_name(self.games.called(self.name), ask, tell)
        if self.saved:
            return Seated(self.saved, self.games.free())
        is_played_by_people = HUMAN in self.setting.players
        if is_played_by_people and not (self.given or self.is_new):
            kept = self._latest(tell)
            if kept and _is_wanted(ask, tell):
                return kept
        place, notice = self.games.free(), ""
        if is_played_by_people and self.games.all():
            reason = f", as {self.given[0]} was given" if self.given else ""
            notice = (
                f"A new game{reason}, kept as {place.name}; blot play --games lists the others."
            )
        return Seated(self._begun(ask, tell), place, notice)

    def _seated_by_name(
        self, place: KeptGame, ask: Callable[[str], str], tell: Callable[[str], None]
    ) -> Seated:
        """The game of that name, or a new one kept by it."""
        if not place.exists:
            return Seated(self.saved or self._begun(ask, tell), place)
        if self.is_new or self.saved:
            raise ValueError(f"a game is kept as {place.name} already; give another name")
        if self.given:
            raise ValueError(
                f"{self.given[0]} is for a new game, and {place.name} is kept: "
                "leave the option out, or give another name"
            )
        table = load_kept(place)
        self.check(table.setting)
        return Seated(table, place)

    def _begun(self, ask: Callable[[str], str], tell: Callable[[str], None]) -> Table:
        """A new game, against the level asked for."""
        self.check(self.setting)
        if not self.asks_level:
            return self.begin(self.setting)
        me, default = self.setting.players
        while True:
            answer = ask(f"Which level: {ASKED_LEVELS}? [{default}] ").strip().lower() or default
            if answer in LEVELS:
                return self.begin(replace(self.setting, players=(me, answer)))
            tell(f"Answer {ASKED_LEVELS}.")

    def _latest(self, tell: Callable[[str], None]) -> Seated | None:
        """The game that people have played last; damaged ones are moved out of the way."""
        for place in self.games.all():
            try:
                table = load_kept(place)
            except ValueError as error:
                tell(f"{sentence(error)} It is now {place.set_aside()}.")
                continue
            if HUMAN not in table.setting.players:
                continue
            self.check(table.setting)
            count = len(self.games.all())  # without the damaged ones
            is_alone = count == 1
            tell(
                f"{'A game is kept' if is_alone else f'Kept as {place.name}'}: {kept_text(table)}."
            )
            if not is_alone:
                tell(f"blot play --games lists all {count} that are kept.")
            return Seated(table, place)
        return None


def kept_text(table: Table) -> str:
    """The score and the turns of a kept game, in words."""
    turns = len(table.turns)
    return f"{score_text(table, Look())}, {turns} turn{'s' * (turns != 1)} played"


def games_text(games: KeptGames) -> str:
    """Every game that is kept, one on a line, the one played last first."""
    lines = []
    for place in games.all():
        try:
            text = f"{kept_text(load_kept(place))}, last {place.played:%Y-%m-%d %H:%M}"
        except ValueError as error:
            text = str(error)
        lines.append(f"{place.name}: {text}")
    if not lines:
        return "No game is kept."
    return "\n".join((*lines, "blot play --game NAME goes on with one of them."))


def _is_wanted(ask: Callable[[str], str], tell: Callable[[str], None]) -> bool:
    """Whether the person goes on with the game that is kept."""
    while True:
        answer = ask("Go on with it? [Y/n] ").strip().lower()
        if answer in YES or not answer:
            return True
        if answer in NO:
            return False
        tell("Answer yes or no.")
