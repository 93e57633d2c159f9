"""The audit log: who did what, when, and from which address."""

from league.hosting.model.people import Person
from league.hosting.store.host_store import HostStore


def note(
    store: HostStore,
    person: Person | None,
    action: str,
    subject: str = "",
    detail: str = "",
    address: str = "",
) -> None:
    """Write down what a person did; None is the league itself, or somebody who has not signed in.

    `subject` is "person 3" or "team NAME". No login, name or email of anybody may stand in
    `subject` or `detail`: the entry stays when the person is deleted.
    """
    store.sign_ins.add_audit(person, action, subject=subject, detail=detail, address=address)
