import os
import threading
import time

import pytest

from protocol import thinker as thinker_module
from protocol.thinker import StoppedError, Thinker

LIMIT = 60.0


@pytest.fixture
def thinker():
    made = Thinker()
    yield made
    made.close()


def until(is_so):
    """Wait until it is so."""
    end = time.monotonic() + LIMIT
    while not is_so():
        assert time.monotonic() < end
        threading.Event().wait(0.01)


def test_question_decided_on_before_a_stop_is_not_asked_after_it(thinker):
    decided = thinker.stops
    thinker.stop()
    with pytest.raises(StoppedError):
        thinker.ask(len, "abc", stops=decided)
    assert thinker.ask(len, "abc", stops=thinker.stops) == 3


def test_one_process_answers_until_it_dies_and_then_another(thinker):
    process = thinker.ask(os.getpid)
    assert process != os.getpid()
    with pytest.raises(ValueError, match=r"^invalid literal for int\(\) with base 10: '8/5'$"):
        thinker.ask(int, "8/5")
    assert thinker.ask(os.getpid) == process, "a refusal ends nothing"
    with pytest.raises(ChildProcessError, match="died"):
        thinker.ask(os._exit, 3)
    assert thinker.ask(os.getpid) not in (process, os.getpid())


def test_an_answer_that_takes_too_long_ends_the_process_and_the_next_question_finds_another(
    thinker, monkeypatch
):
    process = thinker.ask(os.getpid)
    with monkeypatch.context() as short:
        short.setattr(thinker_module, "LIMIT", 0.05)
        with pytest.raises(ChildProcessError, match=r"gave no answer in 0\.05 seconds"):
            thinker.ask(time.sleep, 300)
    assert thinker.ask(os.getpid) != process


@pytest.mark.parametrize("way", ["stop", "close"])
def test_who_waits_for_an_answer_hears_that_it_was_broken_off(thinker, way):
    heard = []

    def ask():
        try:
            heard.append(thinker.ask(time.sleep, 300))
        except StoppedError as error:
            heard.append(error)

    asking = threading.Thread(target=ask)
    asking.start()
    until(lambda: thinker._pool is not None)
    getattr(thinker, way)()
    asking.join(LIMIT)
    assert [type(each) for each in heard] == [StoppedError]
    if way == "stop":
        assert thinker.ask(len, "abc") == 3
    else:
        with pytest.raises(StoppedError):
            thinker.ask(len, "abc")


def test_what_is_loaded_while_nobody_waits_tells_of_no_fault(thinker, tmp_path):
    threads = threading.active_count()
    thinker.wake(os.mkdir, [(str(tmp_path / "one"),), (str(tmp_path / "two"),), ("\0",)])
    until(lambda: (tmp_path / "two").exists())
    assert thinker.ask(os.getpid) != os.getpid()
    thinker.close()
    until(lambda: threading.active_count() == threads)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "two"]
