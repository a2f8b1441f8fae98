"""Engine: every question a game asks, answered by looking ahead or rolling out."""
