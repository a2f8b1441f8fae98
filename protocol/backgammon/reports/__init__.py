"""Reports: what was found, as tables, as values for programs, as pictures."""
