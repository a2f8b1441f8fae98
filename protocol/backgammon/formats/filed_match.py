"""Filed match: a record without what no match file tells.

Files have no room for the choice to roll, ties in the opening, resignations that were declined, and
a roll or a position that was set up where another is set up at once; a resignation that was
accepted shows in the result alone. Two records are the same to files if they are equal
once filed.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from bot.backgammon.rules.decision import CubeAction
from bot.backgammon.rules.game import (
    Ending,
    Game,
    OpeningRoll,
    Resignation,
    ResignationAnswer,
    Result,
)
from bot.backgammon.rules.match import Cube
from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.record import Event, GameRecord, MatchRecord, Rules, game_after
from bot.backgammon.rules.roll import Roll


def as_filed(match: MatchRecord) -> MatchRecord:
    """The match as files can tell it; automatic doubles become a cube that is set up turned."""
    return replace(
        match,
        rules=_filed_rules(match.rules),
        games=tuple(_filed_game(match.rules, game) for game in match.games),
    )


def _filed_rules(rules: Rules) -> Rules:
    """The rules without those that do not count, as Rules has them."""
    filed = replace(rules, automatic_doubles=0)
    if rules.length is not None or not rules.has_cube:
        filed = replace(filed, jacoby=True, beavers=False)
    if rules.length is None or not rules.has_cube:
        filed = replace(filed, crawford=True)
    return filed


def _filed_game(rules: Rules, record: GameRecord) -> GameRecord:
    result = record.result
    if result and result.ending is Ending.RESIGNED:
        result = replace(result, kind=result.kind_counted)
    events: list[Event] = []
    carried = Event(Resignation(1))
    for event in _with_cube_turned(rules, record):
        joined = _joined(carried, event)
        if _is_told(joined.answer):
            events.append(joined)
            carried = Event(Resignation(1))
        else:
            carried = joined
    events = _without_replaced(_with_comments_at_plays(events))
    events = list(_with_rolls_set_up(events))
    rest = Event(Resignation(1), record.comment, record.annotations)
    rest = _joined(rest, carried)
    return replace(
        record,
        events=tuple(events),
        result=result,
        comment=rest.comment,
        annotations=rest.annotations,
    )


def _is_told(answer: object) -> bool:
    """Whether files have room for an answer."""
    if isinstance(answer, OpeningRoll):
        return not answer.is_tie
    return not isinstance(answer, Resignation | ResignationAnswer) and answer is not CubeAction.ROLL


def _joined(before: Event, event: Event) -> Event:
    """The event with what was written beside the one before as well."""
    comment = "\n".join(text for text in (before.comment, event.comment) if text)
    return Event(event.answer, comment, before.annotations + event.annotations)


def _with_cube_turned(rules: Rules, record: GameRecord) -> Iterator[Event]:
    """The events, set-up games plain, automatic doubles as a set-up game behind the last tie."""
    start: Game | Result = rules.new_game(record.points, is_crawford=record.is_crawford)
    turned = start
    for event in record.events:
        answer = event.answer
        if isinstance(answer, Game):
            plain = replace(answer, is_rolling=False, declined=0, automatic_doubles=0)
            if plain.doubles != 1:
                yield replace(event, answer=plain)
            else:
                yield replace(event, answer=replace(plain, doubles=0))
                yield Event(CubeAction.DOUBLE)
            continue
        if isinstance(answer, OpeningRoll) and isinstance(turned, Game):
            if answer.is_tie:
                turned = game_after(turned, answer)
            elif turned != start:
                yield Event(replace(turned, automatic_doubles=0))
        yield event


def _with_comments_at_plays(events: list[Event]) -> Iterator[Event]:
    """The events, what was written beside a roll moved to its play: files have both in one."""
    for place, event in enumerate(events):
        before = events[place - 1] if place else None
        following = events[place + 1] if place + 1 < len(events) else None
        is_roll = isinstance(event.answer, Roll | OpeningRoll)
        if is_roll and following and isinstance(following.answer, CheckerPlay):
            yield Event(event.answer)
        elif (
            before
            and isinstance(event.answer, CheckerPlay)
            and isinstance(before.answer, Roll | OpeningRoll)
        ):
            yield _joined(before, event)
        else:
            yield event


def _without_replaced(events: Iterable[Event]) -> list[Event]:
    """The events without rolls and positions that nobody went on from, as another was set up."""
    kept: list[Event] = []
    for event in events:
        if isinstance(event.answer, Game):
            while kept and _is_replaced(kept):
                event = _joined(kept.pop(), event)
        kept.append(event)
    return kept


def _is_replaced(events: list[Event]) -> bool:
    """Whether a file forgets the last event if a position is set up behind it."""
    is_set_up = isinstance(events[-1].answer, Roll | OpeningRoll | Game)
    return is_set_up and (len(events) > 1 or automatic_cube(events[-1]) is None)


def _with_rolls_set_up(events: list[Event]) -> Iterator[Event]:
    """The events, a roll that nobody has played yet set up with the game that was set up before."""
    place = 0
    while place < len(events):
        event = events[place]
        match [each.answer for each in events[place : place + 3]]:
            case [Game(), Roll() | OpeningRoll(), CheckerPlay()]:
                pass
            case [Game() as game, Roll() | OpeningRoll() as roll, *_] if (
                place or automatic_cube(event) is None
            ):
                rolled = game_after(game, roll)
                assert isinstance(rolled, Game)
                place += 1
                event = _joined(event, replace(events[place], answer=rolled))
        yield event
        place += 1


def automatic_cube(event: Event) -> Cube | None:
    """The cube that automatic doubles have turned, if the first event sets up just that."""
    game = event.answer
    if not isinstance(game, Game) or game.turn is not None:
        return None
    start = Rules().new_game().state.position
    return game.state.cube if game.state.position == start and game.state.cube.value > 1 else None
