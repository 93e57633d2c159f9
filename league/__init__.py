"""The league: registry, tournaments, referee, ratings and what shows them."""
