"""The features of a position, each counted the obvious way on lists and sets of throws."""

THROWS = [(first, second) for first in range(1, 7) for second in range(1, 7)]


def plain_features(board):
    """The 48 features, the player's on roll first; board: 26 counts seen by that player."""
    own = [max(int(count), 0) for count in board]
    other = [max(-int(count), 0) for count in board]
    return _side(own, other) + _side(other[::-1], own[::-1])


def _side(own, other):
    """own, other: checkers on the side's points 1-24; its bar is own[25], the other's other[0]."""
    points = range(1, 25)
    made = {p for p in points if own[p] >= 2}
    blocked = {p for p in points if other[p] >= 2}
    home_made = len([p for p in made if p <= 6])
    rearmost, second = ([p for p in range(25, 0, -1) for _ in range(own[p])] + [0, 0])[:2]
    checkers = sum(own)
    anchors = [p for p in made if p >= 18]
    others_places = [p for p in range(25) if other[p]]
    others_rearmost = min(others_places, default=26)

    direct, every, value = set(), set(), 0
    for blot in (p for p in points if other[p] == 1):
        directly, combined = _hits(own, blot, blocked)
        direct |= directly
        every |= directly | combined
        value += blot * len(directly | combined)

    others_block = {25 - p for p in made}
    ways = {p: _escapes(p, others_block) for p in range(25, 12, -1)}
    zone = min(ways.values())
    behind = min((n for p, n in ways.items() if p <= 25 - others_rearmost), default=36)
    free = _escapes(rearmost, blocked) if rearmost else 0
    free_second = _escapes(second, blocked) if second else 0
    closed = (home_made / 6) ** 2
    return [
        sum(p * own[p] for p in range(1, 26)) / 100,
        home_made / 6,
        max(_run(made, p) for p in range(1, 26)) / 6,
        len([p for p in points if own[p] == 1]) / 4,
        sum(max(count - 3, 0) for count in own) / 6,
        len(direct) / 36,
        len(every) / 36,
        value / 400,
        sum(own[7:]) / 15,
        sum(own[19:]) / 5,
        len(anchors) / 2,
        (25 - min(anchors, default=25)) / 7,
        free / 36,
        (free / 36) ** 2,
        free_second / 36,
        (36 - zone) / 36,
        (36 - behind) / 36,
        closed,
        closed if other[0] else 0,
        max(rearmost - others_rearmost, 0) / 24,
        checkers <= 14,
        checkers <= 10,
        checkers <= 5,
        sum((p - 6) * own[p] for p in range(7, 26)) / 50,
    ]


def _run(made, point):
    length = 0
    while point + length in made:
        length += 1
    return length


def _escapes(point, blocked):
    """Throws that take a checker the whole way, by one die first or the other."""
    return len(
        [
            throw
            for throw in THROWS
            if point - sum(throw) not in blocked
            and any(point - die not in blocked for die in throw)
        ]
    )


def _hits(own, blot, blocked):
    """Throws that hit the blot with one die, and with more steps within twelve pips."""
    directly, combined = set(), set()
    sources = [25] if own[25] else [p for p in range(blot + 1, 25) if own[p]]
    for source in sources:
        distance = source - blot
        for first, second in THROWS:
            if distance in (first, second):
                directly.add((first, second))
            if distance > 12:
                continue
            if first == second:
                steps = distance // first
                way = {source - first * step for step in range(1, steps)}
                if distance % first == 0 and 2 <= steps <= 4 and not way & blocked:
                    combined.add((first, second))
            elif first + second == distance and {source - first, source - second} - blocked:
                combined.add((first, second))
    return directly, combined
