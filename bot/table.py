"""Table: rows of figures as CSV, for other programs."""

import csv
import io
from collections.abc import Iterable, Mapping


def table_text(names: Iterable[str], rows: Iterable[Mapping[str, str | int | float | None]]) -> str:
    """The rows as CSV with columns of these names, numbers to six digits, nothing if unknown."""
    text = io.StringIO(newline="")
    table = csv.DictWriter(text, list(names))
    table.writeheader()
    for row in rows:
        table.writerow(
            {key: f"{cell:.6g}" if isinstance(cell, float) else cell for key, cell in row.items()}
        )
    return text.getvalue()
