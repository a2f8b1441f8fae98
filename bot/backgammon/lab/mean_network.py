"""Mean network: several networks of one shape averaged weight by weight.

Networks that training went through one after the other lie close together, and their mean evaluates
positions more evenly than each. Source: Izmailov et al., Averaging weights leads to wider optima
and better generalization (2018).

    python -m bot.backgammon.lab.mean_network ONE.npz TWO.npz --out mean.npz
"""

from collections.abc import Sequence

import numpy as np

from bot.backgammon.evaluation.network import Network, load_network
from bot.backgammon.kernels.network import Floats, Layers
from bot.lab.command_line import file_to_write, lab_parser, told_in_a_sentence


def mean_network(networks: Sequence[Network]) -> Network:
    """The mean of the networks; raises ValueError if their shapes or inputs differ."""
    kinds = sorted({f"{network.shape} on {network.inputs}" for network in networks})
    if len(kinds) > 1:
        raise ValueError(f"networks of different shapes have no mean: {', '.join(kinds)}")
    arrays = zip(*(network.layers for network in networks), strict=True)
    means: list[Floats] = [
        np.stack(each).mean(axis=0, dtype=np.float64).astype(np.float32) for each in arrays
    ]
    history = {"mean_of": len(networks), **played_by(networks)}
    return Network(Layers(*means), networks[0].inputs, history)


def played_by(networks: Sequence[Network]) -> dict[str, int]:
    """Games and plies of training, added up; of networks that share some, these count again."""
    return {
        count: sum(int(network.history.get(count, 0)) for network in networks)
        for count in ("games", "plies")
    }


@told_in_a_sentence()
def main() -> None:
    """Load, average and write; exits with a sentence if the networks have no mean."""
    parser = lab_parser(__doc__)
    parser.add_argument("weights", nargs="+", help="names or files")
    parser.add_argument("--out", type=file_to_write, required=True, help="file of the network")
    options = parser.parse_args()
    network = mean_network([load_network(name) for name in options.weights])
    network.save(options.out)
    print(f"{network.shape}: the mean of {len(options.weights)} is in {options.out}")


if __name__ == "__main__":
    main()
