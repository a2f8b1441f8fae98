"""The slow obvious twin of the play generator, straight from the rules of backgammon.

Boards are tuples of 26 counts seen by the mover: own checkers positive on 1-24, own bar 25, the
other side's checkers negative, their bar 0.
"""

Board = tuple[int, ...]
Leg = tuple[int, int]


def plain_leg(board: Board, source: int, die: int) -> tuple[Board, Leg] | None:
    """The board after one leg and the leg itself; None if the rules forbid it."""
    if board[source] < 1:
        return None
    if board[25] > 0 and source != 25:
        return None
    target = source - die
    if target < 1:
        if any(board[point] > 0 for point in range(7, 26)):
            return None
        if target < 0 and any(board[point] > 0 for point in range(source + 1, 7)):
            return None
        target = 0
    elif board[target] <= -2:
        return None
    after = list(board)
    after[source] -= 1
    if target > 0:
        if after[target] == -1:
            after[target] = 0
            after[0] -= 1
        after[target] += 1
    return tuple(after), (source, target)


def _sequences(board: Board, dice: tuple[int, ...]) -> list[tuple[Board, tuple[int, ...]]]:
    """Every way to play the dice in this order as far as they go: last board, dice played."""
    if not dice:
        return [(board, ())]
    found = []
    for source in range(25, 0, -1):
        leg = plain_leg(board, source, dice[0])
        if leg is not None:
            for after, played in _sequences(leg[0], dice[1:]):
                found.append((after, (dice[0], *played)))
    return found or [(board, ())]


def plain_boards_after(board: Board, high: int, low: int) -> set[Board]:
    """Boards after all legal plays of the roll; empty if it cannot be played."""
    if high == low:
        sequences = _sequences(board, (high,) * 4)
    else:
        sequences = _sequences(board, (high, low)) + _sequences(board, (low, high))
    most = max(len(played) for _, played in sequences)
    if most == 0:
        return set()
    longest = [(after, played) for after, played in sequences if len(played) == most]
    if most == 1 and any(played == (high,) for _, played in longest):
        longest = [(after, played) for after, played in longest if played == (high,)]
    return {after for after, _ in longest}


def plain_replay(board: Board, high: int, low: int, legs: list[Leg]) -> Board:
    """The board after the legs; raises AssertionError at the first that no die left allows."""
    dice = [high] * 4 if high == low else [high, low]
    for source, target in legs:
        exact = [die for die in dice if source - die == target]
        larger = [die for die in sorted(dice) if target == 0 and die > source]
        for die in exact + larger:
            leg = plain_leg(board, source, die)
            if leg is not None:
                board = leg[0]
                dice.remove(die)
                break
        else:
            raise AssertionError(f"{source}/{target} cannot be played with {dice} on {board}")
    return board
