"""Arena: players set against each other, and measured."""
