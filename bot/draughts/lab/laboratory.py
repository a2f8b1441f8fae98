"""Laboratory: the experiments on draughts, by name."""

from bot.lab.experiment import Laboratory

LABORATORY = Laboratory(
    command="blot draughts lab",
    package="bot.draughts.lab",
    modules={
        "nodes": "nodes",
        "depths": "depths",
        "states": "states",
        "repeated": "repeated",
        "competitor": "competitor",
    },
    beginning="""# The laboratory of draughts

A bachelor's thesis from Brno (Jakub Knoflíček, 2011) made a player of Czech and international
draughts: alpha-beta to a fixed depth, and a table of states that learns by TD(0). Its tables 4 to 8
and graphs 2 and 3 are measured again here with Blot's own code. We do not have the thesis itself:
of its figures three are known to us, and they stand beside ours; where there is none we say so. So
experiments have the names of what they measure, not of his tables. `blot draughts lab` lists them;
`blot draughts lab NAME --scale full` makes one again, and `--set` changes a setting.
""",
)
