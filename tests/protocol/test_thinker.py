import pytest

from protocol.thinker import StoppedError, Thinker


def test_question_decided_on_before_a_stop_is_not_asked_after_it():
    thinker = Thinker()
    decided = thinker.stops
    thinker.stop()
    with pytest.raises(StoppedError):
        thinker.ask(len, "abc", stops=decided)
