"""FIBS lobby: what happens on FIBS between matches: settings, invitations, saved matches, talk.

Source: FIBS Client Protocol Detailed Specification 1.3.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from protocol.backgammon.formats.clip import ClipLine, Kind
from protocol.backgammon.servers.agenda import Agenda, Task
from protocol.backgammon.servers.courtesy import Names, plain
from protocol.backgammon.servers.match_store import PlayedMatch
from protocol.backgammon.servers.player import Player, Send

INVITATION_SECONDS = 30.0
"""Seconds that a server may take to begin a match that we have joined."""

LIST_SECONDS = 5.0
"""Seconds that may pass between two lines of the list of saved matches."""

WANTED = {
    "autoboard": True,
    "autodouble": False,
    "automove": False,
    "bell": False,
    "crawford": True,
    "double": True,
    "greedy": False,
    "moreboards": True,
    "moves": False,
    "ratings": False,
    "report": False,
    "silent": True,
}
"""Settings that are toggled if they are otherwise."""

SWITCHES = ("allowpip", "autoboard", "autodouble", "automove", "away", "bell", "crawford", "double")
MORE_SWITCHES = ("greedy", "moreboards", "moves", "notify")


@dataclass(slots=True)
class Invitation:
    """Somebody's invitation; length is None for an unlimited match, 0 for one to be resumed."""

    name: str
    length: int | None
    ends_saved: bool = False
    experience: int = 0
    rating: float | None = None


class FibsLobby:
    """The lobby of one login; what is to be done when stands in the agenda.

    saved: who has a saved match with us; invitation: the one that waits for an answer.
    """

    def __init__(self, player: Player, agenda: Agenda, send: Send) -> None:
        self.player = player
        self.saved = Names()
        self.invitation: Invitation | None = None
        self._invited = Names()
        self._missing: dict[str, PlayedMatch] = {}
        self._agenda = agenda
        self._send = send

    def hear(self, told: ClipLine, *, is_busy: bool) -> None:
        """Take what a line tells; is_busy: whether we may begin no match now."""
        name = told["who"]
        match told.kind:
            case Kind.OWN_SETTINGS:
                self._set(told)
            case Kind.GONE:
                self._invited.forget(name)
            case Kind.TOLD | Kind.KIBITZED:
                self.speak(name, "answer", self.player.policy.answer)
            case Kind.WONT_LISTEN:
                self.player.courtesy.gagged_by(name)
            case Kind.INVITED:
                self._invite(Invitation(name, told.number("length") or None), is_busy=is_busy)
            case Kind.INVITED_BACK:
                self._invite(Invitation(name, 0), is_busy=is_busy)
            case Kind.SAVED_WARNING if self.invitation is not None:
                self.invitation.ends_saved = True
                self.saved.add(self.invitation.name)
            case Kind.SAVED_LIST | Kind.NO_SAVED_MATCH:
                self.saved = Names()
                self._miss(self.player.unfinished())
            case Kind.REFUSED if "'show" in told["text"]:  # Jibs has no such list
                self._miss(each for each in self.player.unfinished() if each.is_won is not None)
            case Kind.SAVED_MATCH:
                self.saved.add(name)
                self._missing.pop(name.lower(), None)
                if Task.SETTLE in self._agenda:
                    self._agenda.put(Task.SETTLE, LIST_SECONDS)
                if told["online"]:
                    self._send(f"rawwho {name}")

    def see(self, told: ClipLine, *, is_busy: bool) -> None:
        """Somebody else's state: who has a saved match with us is invited, once while there."""
        name = told["who"]
        if self.invitation is not None and name == self.invitation.name:
            self.invitation.experience = told.number("experience")
            self.invitation.rating = float(told["rating"])
        is_free = told["ready"] == "1" and told["opponent"] == "-"
        if is_busy or not is_free or not self.player.policy.resume:
            return
        if name in self.saved and name not in self._invited:
            self._invited.add(name)
            self._send(f"invite {name}")

    def answer(self) -> None:
        """Accept the invitation that waits, or decline it with a reason."""
        invitation = self.invitation
        if invitation is None:
            return
        name = invitation.name
        if invitation.ends_saved:
            reason: str | None = "we have a saved match, which I resume"
            self._send(f"invite {name}")
        elif invitation.length == 0:
            reason = None
        else:
            reason = self.player.refusal(name, invitation.length, invitation.experience)
        if reason is None:
            self._send(f"join {name}")
            self._agenda.put(Task.JOINING, INVITATION_SECONDS)
            return
        self.invitation = None
        decline = self.player.policy.decline
        self.speak(name, f"decline {reason}", f"{decline} {reason}" if decline else "")

    def settle(self, opponent: str | None) -> None:
        """The list of saved matches is complete: those that are missing from it are over.

        opponent: whom we play now, None for nobody.
        """
        if opponent is not None:
            self._missing.pop(opponent.lower(), None)
        self.player.give_up(self._missing.values())
        self._missing = {}

    def forget(self) -> None:
        """The invitation has led to a match, or to nothing."""
        self.invitation = None

    def finished(self, name: str) -> None:
        """The match with somebody is over: nothing is saved any more."""
        self.saved.forget(name)
        self._invited.forget(name)

    def speak(self, name: str, kind: str, sentence: str) -> None:
        """Tell somebody a sentence of a kind, if courtesy allows it."""
        if sentence and self.player.courtesy.allows(name, kind):
            self._send(f"tell {name} {plain(sentence)}")

    def _miss(self, lines: Iterable[PlayedMatch]) -> None:
        """Miss these matches until they are listed."""
        self._missing = {line.opponent.lower(): line for line in lines}
        self._agenda.put(Task.SETTLE, LIST_SECONDS)

    def _invite(self, invitation: Invitation, *, is_busy: bool) -> None:
        """Somebody wants to play; answered in a while, when all is known."""
        if is_busy:
            decline = self.player.policy.decline
            sentence = f"{decline} one match at a time" if decline else ""
            self.speak(invitation.name, "busy", sentence)
            return
        if self.invitation is not None and Task.JOINING in self._agenda:
            return
        self.invitation = invitation
        self._send(f"rawwho {invitation.name}")
        self._agenda.put(Task.JOIN, self.player.policy.delay)

    def _set(self, told: ClipLine) -> None:
        """Toggle what is set otherwise than we want it."""
        switches = dict(zip(SWITCHES, told["switches"].split(), strict=True))
        switches |= zip(MORE_SWITCHES, told["more"].split(), strict=True)
        switches |= zip(("report", "silent"), told["last"].split(), strict=True)
        switches["ratings"] = told["ratings"]
        for name, wanted in WANTED.items():
            if (switches[name] == "1") != wanted:
                self._send(f"toggle {name}")
        if told["redoubles"] not in ("0", "none", "null"):
            self._send("set redoubles none")
        if switches["away"] == "1":
            self._send("back")
