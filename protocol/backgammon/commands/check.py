"""`blot check`: another program, or Blot, run through the conformance suite of its protocol."""

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from protocol.backgammon.commands.options import DefaultsShown
from protocol.encoding import shown_lines
from protocol.errors import UsageError
from protocol.subcommands import Parsers

if TYPE_CHECKING:
    from protocol.backgammon.adapters.ubgi_check import Findings

MAX_SECONDS = 86400
"""No wait is longer than a day."""


def add_check(subcommands: Parsers) -> None:
    """Add `blot check`."""
    parser = subcommands.add_parser(
        "check",
        help="check how well a program speaks UBGI",
        description="Run a UBGI engine through a conformance suite and tell its level and its "
        "faults, each with the lines sent and received. The exit status is 1 if there are faults.",
        formatter_class=DefaultsShown,
        allow_abbrev=False,
    )
    parser.add_argument(
        "program",
        metavar="COMMAND",
        help='the engine as typed in a shell, in quotes: "./engine --fast"',
    )
    parser.add_argument(
        "--seconds",
        type=float,
        default=60.0,
        metavar="S",
        help="seconds to wait for an answer at most",
    )
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")
    parser.set_defaults(run=_check)


def _check(options: argparse.Namespace) -> int:
    """Check the program, and report."""
    from protocol.backgammon.adapters.ubgi_check import check_program, suite
    from protocol.progress import progress

    if not 0 < options.seconds < MAX_SECONDS:
        raise UsageError(
            f"--seconds is more than 0 and less than {MAX_SECONDS}, not {options.seconds:g}"
        )
    with progress("checks", len(suite())) as show:
        findings = check_program(options.program, seconds=options.seconds, on_progress=show)
    if options.json:
        print(json.dumps(_values(findings), indent=2))
    else:
        print(_text(findings, options.program))
    sys.stdout.flush()
    return 1 if findings.faults else 0


def _text(findings: "Findings", program: str) -> str:
    """The findings, in lines."""
    from protocol.backgammon.adapters.ubgi_check import LEVELS

    lines = [*findings.identity] or [program]
    if findings.dialect:
        lines.append(f"dialect {findings.dialect}")
    level = findings.level
    if level is None:
        lines.append("level: none, not even 0")
    else:
        lines.append(f"level: {level} of {len(LEVELS) - 1}, {LEVELS[level]}")
    passed, faults = len(findings.passed), len(findings.faults)
    lines.append(
        f"{passed} check{'s' * (passed != 1)} passed, {len(findings.missing)} not offered, "
        f"{faults} fault{'s' * (faults != 1)}"
    )
    lines += [f"not offered: {check.says}" for check in findings.missing]
    for fault in findings.faults:
        lines += ["", f"fault: {fault.check.says}: {fault.reason}"]
        lines += [f"  {line}" for line in fault.talk]
        lines += [f"  {fault.check.why}"] * bool(fault.check.why)
    return shown_lines("\n".join(lines))


def _values(findings: "Findings") -> dict[str, Any]:
    """The findings, by name."""
    return {
        "identity": findings.identity,
        "dialect": findings.dialect,
        "level": findings.level,
        "passed": [check.says for check in findings.passed],
        "missing": [check.says for check in findings.missing],
        "faults": [
            {"check": fault.check.says, "reason": fault.reason, "talk": fault.talk}
            for fault in findings.faults
        ],
    }
