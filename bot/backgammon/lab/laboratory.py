"""Laboratory: the experiments on backgammon, by name."""

from bot.lab.experiment import Laboratory

LABORATORY = Laboratory(
    command="blot lab",
    package="bot.backgammon.lab",
    modules={
        "nbg-curve": "nbg_curve",
        "pulver-speed": "pulver_speed",
        "pulver-table": "pulver_table",
        "pulver-inputs": "pulver_inputs",
        "knock-out": "knock_out",
        "outputs": "outputs",
        "hypergammon": "hypergammon",
        "lambda": "traces",
    },
    beginning="""# The laboratory

Two theses and a project asked how a network learns backgammon: PulverGammon (Aarhus 2007), NBG
(Ljubljana 2010) and TD-Gammon again (Poland, about 2012). Here their tables and curves are made
again with Blot's own code, theirs beside ours, with a few questions that nobody asked. `blot lab`
lists the experiments; `blot lab NAME --scale full` makes one again, and `--set` changes a setting.
Draughts has a page of its own in `weights/lab/draughts/`.
""",
)
