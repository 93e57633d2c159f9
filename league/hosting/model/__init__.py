"""The values of a hosted league: people, teams, seasons, submissions."""
