"""Lab: what a thesis measured of its draughts player, measured again."""
