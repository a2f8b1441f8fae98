"""Arena: players by name, gnubg among them, and decisions to measure them by."""
