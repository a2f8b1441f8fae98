"""Joined network: two networks side by side in one, whose outputs are those of both, weighed.

The errors of networks that learnt independently differ, so that a weighed mean of what they say
errs less than either. The sums of the outputs are averaged, before they become chances. The units
of one know nothing of the other's; a long lesson (bot.backgammon.lab.long_lesson) may connect them.

    python -m bot.backgammon.lab.joined_network ONE.npz OTHER.npz --share 0.35 --out joined.npz
"""

import numpy as np

from bot.backgammon.evaluation.network import Network, load_network
from bot.backgammon.kernels.network import Floats
from bot.backgammon.lab.mean_network import played_by
from bot.backgammon.training.student import Student, arrays_of
from bot.lab.command_line import file_to_write, lab_parser, told_in_a_sentence


def joined_network(one: Network, other: Network, share: float) -> Network:
    """Both networks in one; share: of the other in the sums of the outputs, 0 to 1.

    Raises ValueError if their inputs, outputs, kinds of units or numbers of layers differ.
    """
    kinds = [
        (each.inputs, each.outputs, each.has_logistic_units, sum(map(bool, each.units)))
        for each in (one, other)
    ]
    if kinds[0] != kinds[1]:
        told = (f"{each.shape} on {each.inputs}" for each in (one, other))
        raise ValueError(f"networks of different kinds cannot be joined: {', '.join(told)}")
    phases = max(one.phases, other.phases)
    units = tuple(here + there for here, there in zip(one.units, other.units, strict=True) if here)
    student = Student(one.inputs, units, 1, phases, one.outputs, one.has_logistic_units)
    ours, theirs = arrays_of(one, phases), arrays_of(other, phases)
    for place, average in enumerate(student.averages):
        here, there = ours[place], theirs[place]
        if place == len(ours) - 1:
            average[...] = (1 - share) * here + share * there
        elif place == len(ours) - 2:
            average[...] = np.concatenate([(1 - share) * here, share * there], axis=-2)
        elif place == 0 or place % 2:
            average[...] = np.concatenate([here, there], axis=-1)
        else:
            average[...] = _side_by_side(here, there)
    history = {"joined": 2, "share": share, **played_by((one, other))}
    return Network(student.layers, one.inputs, history)


def _side_by_side(here: Floats, there: Floats) -> Floats:
    """Two layers as one, float32[phases, below, units] each, nothing between them."""
    phases, below, units = here.shape
    _, other_below, other_units = there.shape
    joined = np.zeros((phases, below + other_below, units + other_units), np.float32)
    joined[:, :below, :units] = here
    joined[:, below:, units:] = there
    return joined


@told_in_a_sentence()
def main() -> None:
    """Load, join and write; exits with a sentence if the networks cannot be joined."""
    parser = lab_parser(__doc__)
    parser.add_argument("one", help="name or file")
    parser.add_argument("other", help="name or file")
    parser.add_argument("--share", type=float, default=0.5, help="of the other, 0 to 1")
    parser.add_argument("--out", type=file_to_write, required=True, help="file of the network")
    options = parser.parse_args()
    if not 0 <= options.share <= 1:
        parser.error(f"--share is 0 to 1, not {options.share:g}")
    network = joined_network(load_network(options.one), load_network(options.other), options.share)
    network.save(options.out)
    print(f"{network.shape}: {options.one} and {options.other} are joined in {options.out}")


if __name__ == "__main__":
    main()
