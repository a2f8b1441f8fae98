import pytest

from bot.backgammon.engine.match_statistics import Skill
from protocol.backgammon.table.loss import STANDARD, parse_loss


def test_tutor_speaks_of_what_gnubg_marks_unless_it_is_told_otherwise():
    assert Skill.DOUBTFUL.value == STANDARD


def test_loss_is_equity_that_somebody_could_lose():
    assert parse_loss("0.05") == 0.05
    for text in ("-1", "4", "nan", "much"):
        with pytest.raises(ValueError, match="0 to 3"):
            parse_loss(text)
