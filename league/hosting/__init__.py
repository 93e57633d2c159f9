"""The hosted league: people submit bots to a season; a wing of the league."""
