"""Run the command `blot` as `python -m protocol`."""

import sys

from protocol.cli import main

if __name__ == "__main__":
    sys.exit(main())
