"""Terminal: one person at a keyboard, and what is typed, drawn and answered."""
