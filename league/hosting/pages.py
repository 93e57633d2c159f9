"""The pages that a hosted league adds to the dashboard."""

from league.web.pages import Dashboard, Pages

WING = "hosting"
"""The name under which the processes of a host hand over their `Hosted` league."""


def pages(dashboard: Dashboard) -> Pages:
    """Return the pages of a hosted league; none where nobody hosts it."""
    hosted = dashboard.given.get(WING)
    if hosted is None:
        return Pages()
    from league.hosting.web.hosted import Hosted  # noqa: PLC0415 (not where nobody hosts)
    from league.hosting.web.hosted_pages import hosted_pages  # noqa: PLC0415

    if not isinstance(hosted, Hosted):
        raise TypeError(f"{hosted!r} is no hosted league")
    return hosted_pages(dashboard.store, hosted)
