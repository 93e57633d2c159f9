"""Receives the uploads of people, by a page or by the API."""

from collections.abc import Callable, Mapping

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from league.hosting.model.errors import RefusedUploadError
from league.hosting.model.people import Person
from league.hosting.model.season import Submission, UploadRefusal
from league.hosting.season.intake import check_upload, receive
from league.hosting.store.host_store import HostStore
from league.hosting.web.uploads import forget_body, read_upload
from league.model.clock import now_ms

STATUSES = {
    UploadRefusal.CLOSED: 403,
    UploadRefusal.NOT_ALLOWED: 403,
    UploadRefusal.TOO_LARGE: 413,
    UploadRefusal.TOO_MANY: 429,
    UploadRefusal.UNSUITABLE: 422,
}
"""The status of an answer that refuses an upload."""

SettingsOf = Callable[[Mapping[str, str]], Mapping[str, str]]


class Inbox:
    """Receives one upload at a time from each person, so that memory is bounded.

    `check_form` raises `HTTPException` for a request of a browser without the token of its forms.
    """

    def __init__(self, store: HostStore, check_form: Callable[[Request, str], None]) -> None:
        self.store = store
        self._check_form = check_form
        self._sending: set[int] = set()

    async def receive(
        self, request: Request, person: Person, settings_of: SettingsOf = dict
    ) -> Submission:
        """Return the submission once its upload is on the disk; raise `RefusedUploadError`.

        `settings_of` makes the settings of the submission from the other fields of a form. Raises
        `HTTPException` for a request that is no upload.
        """
        if person.id in self._sending:
            raise RefusedUploadError(
                "you are sending another file: wait until that is done", UploadRefusal.TOO_MANY
            )
        self._sending.add(person.id)
        try:
            season = await run_in_threadpool(self.store.seasons.get)
            try:
                allowed = await run_in_threadpool(
                    check_upload, self.store, season, person, now_ms()
                )
            except RefusedUploadError:
                await forget_body(request)
                raise
            upload = await read_upload(request, allowed.settings)
            self._check_form(request, upload.token)
            return await run_in_threadpool(
                receive,
                self.store,
                season,
                person,
                upload.file_name,
                upload.data,
                settings_of(upload.settings),
                now_ms(),
            )
        finally:
            self._sending.discard(person.id)
