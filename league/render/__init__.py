"""Pages and drawings for browsers, from templates."""
