from bot.backgammon.jobs import JOBS as OF_BACKGAMMON
from bot.draughts.jobs import JOBS as OF_DRAUGHTS
from protocol.cli import main


def test_the_jobs_of_both_games_are_compiled(capsys, monkeypatch):
    compiled = []
    monkeypatch.setattr(
        "protocol.compilation.compile_first", lambda compilation, jobs: compiled.extend(jobs)
    )
    monkeypatch.setattr("bot.backgammon.evaluation.bearoff.load_databases", lambda tell: None)
    assert main(["warm"]) == 0
    assert capsys.readouterr().out == "Everything is compiled.\n"
    assert compiled == [*OF_BACKGAMMON, *OF_DRAUGHTS]
