"""Can't be loaded."""

raise ImportError("there is no model")
