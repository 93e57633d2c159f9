"""Settings for all tests."""

from hypothesis import settings

# How long one example takes says more of the machine than of the code.
settings.register_profile("botleague", deadline=None)
settings.load_profile("botleague")
