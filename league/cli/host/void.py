"""`league host void`: the same as `league void`."""

from league.cli.void import command as command
