"""The commands that the hosted league adds to `league`."""

from league.cli.lazy_group import CommandSet

COMMANDS = CommandSet(
    "league.hosting.cli",
    {
        "Hosted leagues": {
            "login": "Keep a personal token for the hosted league at URL.",
            "push": "Submit a bot to a hosted league, and follow its check.",
            "challenge": "Let your bot play two unrated matches against BOT in a hosted league.",
        },
        "A league for others": {
            "host": "Run a league to which people submit their own bots.",
            "marks": "Turn the season's results into marks by the rules in its settings.",
            "people": "Add, list, invite and remove the people of a hosted league.",
        },
    },
)
