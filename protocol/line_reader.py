"""Line reader: the lines a person types, edited, completed and remembered where that can be."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from io import TextIOWrapper
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, TextIO

from bot.signals import handled, heard_at_once

if TYPE_CHECKING:
    from prompt_toolkit.completion import CompleteEvent, Completion
    from prompt_toolkit.document import Document
    from prompt_toolkit.key_binding import KeyPressEvent

MENU_ROWS = 5
"""Rows kept free below the prompt for completions."""

SECONDS_TO_STOP = 0.05
ON_TAB = "Tab completes {}."
MORE = "While you type they are offered with prompt_toolkit: pip install 'blot-gammon[play]'"
NO_COMPLETION = f"{{}} are not completed.\n{MORE}"

Ask = Callable[[str], str]
"""Puts a question and reads the line that answers it."""


class Talk(Protocol):
    """The conversation at a board, as far as the lines that are typed in it go."""

    is_left: bool

    @property
    def waits(self) -> bool:
        """Whether a person is asked; else step does what a bot or nobody decides."""

    def prompt(self) -> str:
        """The question."""

    def receive(self, line: str) -> None:
        """Do what a line says."""

    def step(self) -> None:
        """Do the next thing that no person is asked for."""

    def completions(self, text: str) -> list[str]:
        """The lines that the text may become."""

    def draw(self) -> None:
        """Show the board."""

    def draw_soon(self) -> None:
        """Show the board before the next question."""


class LineReader:
    """Asks for lines: with prompt_toolkit, else with readline, else as they come.

    noun: the things that are completed.
    """

    def __init__(self, noun: str = "plays") -> None:
        for stream in (sys.stdin, sys.stdout):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")  # a strange byte ends no talk
        self._talk: Talk | None = None
        self._noun = noun
        self.is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        self._advice = ""
        self._question = ""
        self._typed: Callable[[], str] = str
        self._restore_modes: Callable[[], None] = lambda: None
        self._session: Ask | None = None
        if self.is_terminal:
            self._edit()

    def converse(self, talk: Talk, greeting: str, delay: float) -> None:
        """Go on until somebody leaves; raises EOFError at the end of input.

        talk: the conversation whose words are completed, and whose board is drawn again when the
        process goes on after Ctrl-Z. delay: seconds between what bots do.
        """
        self._talk = talk
        if self.is_terminal:
            print("\n".join(filter(None, (greeting, self._advice))))
        with self._resuming():
            while not talk.is_left:
                if talk.waits:
                    talk.receive(self.ask(talk.prompt()))
                else:
                    talk.step()
                    if delay and not talk.waits:
                        time.sleep(delay)

    def ask(self, question: str) -> str:
        """The line that answers; raises EOFError at the end of input, KeyboardInterrupt too."""
        self._question = question
        try:
            return (self._session or input)(question)
        finally:
            self._question = ""

    def _resuming(self) -> AbstractContextManager[None]:
        """A block in which board and question are shown again after a stop."""
        if not self.is_terminal:
            return nullcontext()
        if self._session:
            return handled(lambda *_: self._resume(), "SIGCONT")
        return heard_at_once(self._resume, "SIGCONT")

    def _resume(self) -> None:
        if not self._question:
            if self._talk:
                self._talk.draw_soon()
        elif not self._session:  # prompt_toolkit shows its prompt by itself, see _stop
            self._restore_modes()
            self._draw()
            print(f"{self._question}{self._typed()}", end="", flush=True)

    def _edit(self) -> None:
        """Find what lines can be edited with; a dumb terminal is too little for prompt_toolkit."""
        is_dumb = os.environ.get("TERM") == "dumb"
        self._session = None if is_dumb else self._prompt_toolkit()
        if self._session is None:
            on_tab = ON_TAB.format(self._noun)
            missing = NO_COMPLETION.format(self._noun.capitalize())
            self._advice = (
                (on_tab if is_dumb else f"{on_tab}\n{MORE}") if self._readline() else missing
            )

    def _completions(self, text: str) -> list[str]:
        return self._talk.completions(text) if self._talk else []

    def _draw(self) -> None:
        if self._talk:
            self._talk.draw()

    def _stop(self) -> None:
        """Stop the process group, as Ctrl-Z does where the terminal hears it; later, draw."""
        os.kill(0, signal.SIGTSTP)
        time.sleep(SECONDS_TO_STOP)  # the signal may reach another thread first
        self._draw()

    def _prompt_toolkit(self) -> Ask | None:
        """The prompt of a session of prompt_toolkit, None if it is not there."""
        try:
            from prompt_toolkit import PromptSession
            from prompt_toolkit.application import run_in_terminal
            from prompt_toolkit.completion import Completer, Completion
            from prompt_toolkit.key_binding import KeyBindings
        except ImportError:
            return None

        completions = self._completions

        class LineCompleter(Completer):
            """Offers what the line may become."""

            def get_completions(
                self, document: "Document", complete_event: "CompleteEvent"
            ) -> "Iterator[Completion]":
                text = document.text_before_cursor
                for line in completions(text):
                    yield Completion(line, start_position=-len(text))

        keys = KeyBindings()
        if hasattr(signal, "SIGTSTP"):

            @keys.add("c-z")
            def _(event: "KeyPressEvent") -> None:
                run_in_terminal(self._stop)

        session: PromptSession[str] = PromptSession(
            completer=LineCompleter(),
            complete_while_typing=True,
            reserve_space_for_menu=MENU_ROWS,
            key_bindings=keys,
        )
        return session.prompt

    def _keep_modes(self, readline: ModuleType) -> None:
        """Note how readline sets the terminal, which a shell sets as it likes after a stop."""
        try:
            import termios
        except ImportError:
            return
        modes: list[Any] = []

        def note() -> None:
            modes[:] = termios.tcgetattr(sys.stdin)

        def restore() -> None:
            if modes:
                termios.tcsetattr(sys.stdin, termios.TCSADRAIN, modes)

        readline.set_pre_input_hook(note)
        self._restore_modes = restore

    def _readline(self) -> bool:
        """Let input edit lines, remember them and complete on Tab; whether Python can."""
        try:
            import readline
        except ImportError:
            return False

        def complete(text: str, number: int) -> str | None:
            lines = self._completions(text)
            return lines[number] if number < len(lines) else None

        is_libedit = "libedit" in (readline.__doc__ or "")
        readline.set_completer(complete)
        readline.set_completer_delims("")
        readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")
        self._typed = readline.get_line_buffer
        self._keep_modes(readline)
        return True


def shows_colour(stream: TextIO) -> bool:
    """Whether a stream is a terminal with colours, and NO_COLOR is not set."""
    is_plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return not is_plain and stream.isatty()
