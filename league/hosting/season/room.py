"""Room on the disk: while it is short, no upload is taken and no match begins."""

from league.hosting.store.host_store import HostStore
from league.model.errors import SettingError

FREE_KEY = "host-disk-free"
"""The setting with the bytes that must be free."""

SHORTAGE_KEY = "host-disk-shortage"
"""The setting that says why no upload is taken, '' while there is room."""

FREE_BYTES = 500 << 20

SHORTAGE = "the league's disk is nearly full: it goes on by itself when there is room again"


def free_wanted(store: HostStore) -> int:
    """Return how many bytes must be free on the disk."""
    return int(store.settings.get(FREE_KEY, str(FREE_BYTES)))


def set_free_wanted(store: HostStore, size: int) -> None:
    """Change how many bytes must be free; raise `SettingError` for a number below 0."""
    if size < 0:
        raise SettingError(f"{size}: expected a size, as in 500M", "disk-free")
    store.settings.set(FREE_KEY, str(size))


def shortage(store: HostStore) -> str:
    """Return why no upload is taken and no match begins, '' if there is room."""
    return store.settings.get(SHORTAGE_KEY, "")


def set_shortage(store: HostStore, is_short: bool) -> None:
    """Tell all processes of the host whether there is room."""
    told = SHORTAGE if is_short else ""
    if shortage(store) != told:
        store.settings.set(SHORTAGE_KEY, told)
