"""Files of PGN as bytes, read by their tags: `files` yields blocks, `sections` the games' tags."""
