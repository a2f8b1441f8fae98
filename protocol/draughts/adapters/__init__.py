"""Conversations about draughts: the Hub protocol and DamExchange."""
