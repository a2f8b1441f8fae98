from protocol.backgammon.servers.agenda import Task


def test_empty_agenda_has_nothing_to_do_for_ever(agenda):
    assert (agenda.first, agenda.take(), agenda.seconds) == (None, None, float("inf"))


def test_things_are_taken_once_when_they_are_due_and_in_their_order(agenda, clock):
    agenda.put(Task.SHOW, 5)
    agenda.put(Task.ANSWER, 2)
    assert (agenda.first, agenda.take(), agenda.seconds) == (Task.ANSWER, None, 2)
    clock.now += 2
    assert (agenda.take(), agenda.take()) == (Task.ANSWER, None)
    clock.now += 10
    assert agenda.seconds == -7
    assert (agenda.take(), agenda.take()) == (Task.SHOW, None)


def test_what_has_been_due_longest_comes_first(agenda, clock):
    agenda.put(Task.SHOW, 5)
    agenda.put(Task.ANSWER, 2)
    clock.now += 10
    assert [agenda.take(), agenda.take()] == [Task.ANSWER, Task.SHOW]


def test_thing_put_again_has_its_new_moment_alone(agenda, clock):
    agenda.put(Task.IDLE, 2)
    agenda.put(Task.IDLE, 20)
    clock.now += 10
    assert (agenda.take(), agenda.seconds) == (None, 10)


def test_things_dropped_are_not_done_and_need_not_have_been_there(agenda):
    agenda.put(Task.IDLE, 0)
    agenda.put(Task.DEAF, 0)
    agenda.put(Task.SHOW, 0)
    agenda.drop(Task.IDLE, Task.DEAF, Task.LOGIN)
    assert [task for task in Task if task in agenda] == [Task.SHOW]
