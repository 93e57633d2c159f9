"""One of each kind that a package can add to botleague; its `pyproject.toml` names them."""
