"""The match equity recurrence, one score and one cube at a time."""

from functools import cache


def plain_before_crawford(post, crawford, gammons, efficiency):
    """The same as before_crawford, from the trailer's chances: a function of two away scores."""
    gammon, backgammon = gammons

    @cache
    def mwc(own, other):
        if own <= 0 or other <= 0:
            return 1.0 if own <= 0 else 0.0
        if other == 1:
            return crawford[own]
        if own == 1:
            return 1 - crawford[other]
        low, high = mwc(own, other - 1), mwc(own - 1, other)
        least, most = take_point(own, other, 2), 1 - take_point(other, own, 2)
        live = low + (high - low) * min(max((0.5 - least) / (most - least), 0), 1)
        dead = (won(own, other, 1) + lost(own, other, 1)) / 2
        return efficiency * live + (1 - efficiency) * dead

    def won(own, other, cube):
        shares = (1 - gammon, gammon - backgammon, backgammon)
        return sum(share * mwc(own - n * cube, other) for n, share in enumerate(shares, 1))

    def lost(own, other, cube):
        return 1 - won(other, own, cube)

    @cache
    def take_point(own, other, cube):
        """Chance at which a player doubled to this cube may as well drop; he owns it then."""
        if cube < own:
            cash, best = 1 - take_point(other, own, 2 * cube), mwc(own - cube, other)
        else:
            cash, best = 1.0, won(own, other, cube)
        drop, worst = mwc(own, other - cube // 2), lost(own, other, cube)
        return max((drop - worst) / ((best - worst) / cash), 0.0)

    return mwc
