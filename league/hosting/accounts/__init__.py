"""Accounts of a hosted league: passwords, sign-ins, tokens, invitations, rosters, the audit log."""
