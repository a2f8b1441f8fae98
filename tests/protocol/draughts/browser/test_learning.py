from bot.draughts.training.state_learning import LearningSettings
from bot.draughts.training.state_run import StateRun
from protocol.draughts.browser.learning import figures


def test_points_are_told_with_how_far_off_they_are_in_95_of_100_cases(tmp_path):
    run = StateRun.start(tmp_path / "run", LearningSettings(games=6, depth=1))
    run.go_on(lambda games: None)
    told, score = figures(run), run.learning.results.score
    assert score.error
    assert f"{told['score']:.1f} ± {told['error']:.1f} %" == score.percent_95
