"""What every test shares: hypothesis without a deadline (a first call compiles), without chance."""

from hypothesis import settings

settings.register_profile("blot", deadline=None, derandomize=True, database=None)
settings.load_profile("blot")
