"""View: a sitting as values that a page shows, in no language."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bot.draughts.arena.ballots import ballots
from bot.draughts.engine.level import LEVELS
from bot.draughts.rules.decision import Found
from bot.draughts.rules.game import Game
from bot.draughts.rules.legality import legal_moves, position_after
from bot.draughts.rules.move import Move
from bot.draughts.rules.position import Position, squares_of
from bot.draughts.rules.record import GameRecord
from bot.draughts.rules.variant import Variant
from protocol.draughts.browser.sitting import SIDES, Sitting, texts_of
from protocol.draughts.formats.fen import fen_text
from protocol.draughts.formats.pdn_writing import result_text
from protocol.draughts.table.table import HUMAN
from protocol.draughts.terminal.board_view import Look, board_text

Values = dict[str, Any]


def state_values(sitting: Sitting) -> Values:
    """All that a page shows of a sitting but what is being found out; hold its lock."""
    table, asks, position = sitting.table, sitting.asks, sitting.table.position
    moves = table.game.moves if asks == "move" else ()
    last, result = table.last, table.result
    return {
        "version": sitting.version,
        "variant": table.variant.name,
        "rows": table.variant.rows,
        "players": [_player_values(sitting, seat) for seat in (0, 1)],
        "pieces": _piece_values(position),
        "turn": None if result else sitting.turn,
        "asks": asks,
        "may": sitting.may,
        "moves": [_move_values(move, moves, table.variant) for move in moves],
        "line": [
            texts_of(move, game.moves, table.variant)
            for game, move in zip(table.games, table.moves, strict=True)
        ],
        "begins": SIDES.index(table.start.turn),
        "last": last and _way_values(last) | {"seat": 1 - SIDES.index(position.turn)},
        "result": result
        and {
            "winner": None if result.winner is None else SIDES.index(result.winner),
            "ending": result.ending.name.lower(),
            "score": result_text(table.record.score, table.variant),
        },
        "clocks": _clock_values(table.game),
        "log": list(sitting.log),
        "settings": asdict(sitting.wishes),
        "trouble": sitting.trouble,
        "fen": fen_text(position),
        "text_board": board_text(position, Look(unicode=False), _ends(last)).splitlines(),
    }


def hint_values(found: Sequence[Found], game: Game, advice: str) -> Values:
    """The moves of a ranking, with the lines expected."""
    return {
        "level": advice,
        "rows": [
            _way_values(each.move)
            | texts_of(each.move, game.moves, game.position.variant)
            | {"score": each.score, "depth": each.depth, "line": _line(each.line, game.position)}
            for each in found
        ],
    }


def record_values(record: GameRecord) -> Values:
    """A game in a file, in short."""
    tags = dict(record.tags)
    return {
        "players": [_short(tags.get(name, "?")) for name in ("White", "Black")],
        "event": tags.get("Event", "")[:80],
        "date": tags.get("Date", "")[:20],
        "variant": record.variant.name,
        "plies": len(record.moves),
        "score": None if record.score is None else result_text(record.score, record.variant),
    }


def ballot_values(variant: Variant) -> list[Values]:
    """The openings of two moves, in both notations."""
    told = []
    for ballot in ballots(variant):
        line = _line(ballot, Position.start(variant))
        told.append({name: " ".join(each[name] for each in line) for name in line[0]})
    return told


def _player_values(sitting: Sitting, seat: int) -> Values:
    table, position = sitting.table, sitting.table.position
    name, side = table.players[seat], SIDES[seat]
    kind, _, rest = name.partition(":")
    depth, _, file = rest.partition(":")
    own = (sitting.wishes.white, sitting.wishes.black)[seat]
    return {
        "name": name,
        "kind": kind,
        "is_person": name == HUMAN,
        "depth": int(depth) if depth.isdecimal() else own if name in LEVELS else None,
        "table": _short(file),
        "men": position.men(side).bit_count(),
        "kings": position.kings(side).bit_count(),
    }


def _short(text: str) -> str:
    """The name of a file without its folders; other texts as they are."""
    return Path(text).name[:80] if text.endswith(".npz") and ":" not in text else text[:80]


def _piece_values(position: Position) -> list[Values]:
    """Each piece with its square, seat and kind, by squares."""
    pieces = [
        {"at": square, "seat": seat, "king": is_king}
        for seat, side in enumerate(SIDES)
        for is_king, squares in ((False, position.men(side)), (True, position.kings(side)))
        for square in squares_of(squares)
    ]
    return sorted(pieces, key=lambda piece: piece["at"])


def _way_values(move: Move) -> Values:
    """The squares of a move: the way it takes, and what it captures."""
    return {
        "from": move.start,
        "to": move.end,
        "way": list(move.path) or [move.end],
        "captured": list(move.captured),
    }


def _move_values(move: Move, moves: Sequence[Move], variant: Variant) -> Values:
    return _way_values(move) | texts_of(move, moves, variant)


def _ends(move: Move | None) -> tuple[int, ...]:
    return () if move is None else (move.start, move.end)


def _line(moves: Sequence[Move], position: Position) -> list[dict[str, str]]:
    """Moves that follow each other from a position, each in both notations."""
    told = []
    for move in moves:
        told.append(texts_of(move, legal_moves(position), position.variant))
        position = position_after(position, move)
    return told


def _clock_values(game: Game) -> list[Values]:
    """The limits that run towards a draw: how far, and to where, in plies."""
    draws = game.position.variant.draws
    clocks = (
        ("king_moves", game.king_moves, draws.king_moves),
        ("one_against_three", game.against_three, draws.one_against_three),
        ("one_against_two", game.against_two, draws.one_against_two),
    )
    told = [
        {"ending": name, "plies": plies, "limit": limit}
        for name, plies, limit in clocks
        if plies is not None and limit is not None and plies > 3
    ]
    times = game.earlier.count(game.position) + 1
    if times > 1:
        told.append({"ending": "repetition", "plies": times, "limit": draws.repetitions})
    return told
