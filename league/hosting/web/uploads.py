"""Reading an upload from a request, never more of it than the season takes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import unquote

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import Message

from league.hosting.model.errors import RefusedUploadError
from league.hosting.model.season import SeasonSettings, UploadRefusal
from league.hosting.season.intake import too_large
from league.hosting.season.packing import zip_of
from league.hosting.web.forms import FIELD
from league.web.forms import FIELDS_MAX

FILE = "file"
"""The field of a form with the file."""

NAME_HEADER, TOKEN_HEADER = "x-file-name", "x-form-token"
"""The headers that say the same of a body that is the file alone."""

FORM_BYTES = 1 << 16
"""So many more bytes than the file may come with a form."""

FILES_MAX = 600

DRAINED_BYTES = 64 << 20
DRAINED_S = 20.0
"""Limits on reading and discarding a refused upload, so that the client gets the answer."""


class Upload(NamedTuple):
    """An upload: the file with its name, the settings of its bot, and the token of the form."""

    file_name: str
    data: bytes
    settings: dict[str, str]
    token: str = ""


async def forget_body(request: Request) -> None:
    """Read the body of a request that is refused, so that the client hears why."""
    await _Bounded(request, 0, RefusedUploadError("", UploadRefusal.CLOSED)).drain()


async def read_upload(request: Request, allowed: SeasonSettings) -> Upload:
    """Return the upload of a request: a form with `file`, or a raw body with `X-File-Name`.

    Several files of a form are packed into a zip. Raises `RefusedUploadError`, or `HTTPException`
    for a request that is none.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    is_form = kind == "multipart/form-data"
    most = allowed.upload_bytes + (FORM_BYTES if is_form else 0)
    body = _Bounded(request, most, too_large(allowed))
    try:
        body.check_claim()
        return await (_form(body) if is_form else _raw(body))
    except RefusedUploadError:
        await body.drain()
        raise


class _Bounded:
    """The body of a request, of which at most `most` bytes are read."""

    def __init__(self, request: Request, most: int, refusal: RefusedUploadError) -> None:
        self.request = request
        self._most = most
        self._refusal = refusal
        self._read = 0
        self._is_whole = False

    def check_claim(self) -> None:
        """Raise `RefusedUploadError` if the request says that it is too large."""
        claimed = self.request.headers.get("content-length", "")
        if claimed.isascii() and claimed.isdigit() and int(claimed[:20]) > self._most:
            raise self._refusal

    async def receive(self) -> Message:
        """Return the next part; raise `RefusedUploadError` where there are too many bytes."""
        message = await self.request.receive()
        if message["type"] == "http.request":
            self._read += len(message.get("body", b""))
            self._is_whole = not message.get("more_body", False)
            if self._read > self._most:
                raise self._refusal
        return message

    async def parts(self) -> AsyncIterator[bytes]:
        """Yield the body."""
        async for part in Request(self.request.scope, self.receive).stream():
            yield part

    async def drain(self) -> None:
        """Read on and forget it, within limits."""
        left = DRAINED_BYTES
        with suppress(TimeoutError, HTTPException):
            async with asyncio.timeout(DRAINED_S):
                while not self._is_whole and left > 0:
                    message = await self.request.receive()
                    left -= len(message.get("body", b""))
                    self._is_whole = not message.get("more_body", False)


async def _raw(body: _Bounded) -> Upload:
    name = unquote(body.request.headers.get(NAME_HEADER, ""))
    if not name:
        raise RefusedUploadError(
            "send a form with the field 'file', or the file alone with the header X-File-Name",
            UploadRefusal.UNSUITABLE,
        )
    data = bytearray()
    async for part in body.parts():
        data += part
    token = body.request.headers.get(TOKEN_HEADER, "")
    return Upload(name, bytes(data), dict(body.request.query_params), token)


async def _form(body: _Bounded) -> Upload:
    request = Request(body.request.scope, body.receive)
    async with request.form(max_files=FILES_MAX, max_fields=FIELDS_MAX) as form:
        fields = {name: value for name, value in form.multi_items() if isinstance(value, str)}
        sent = [each for each in form.getlist(FILE) if isinstance(each, UploadFile)]
        files = [(each.filename or "", await each.read()) for each in sent if each.filename]
    token = fields.pop(FIELD, "")
    if not files:
        raise RefusedUploadError("choose a file to submit", UploadRefusal.UNSUITABLE)
    (name, data), *more = files
    if more or "/" in name:
        # A folder: a browser names its files by their paths.
        folder = name.partition("/")[0] if "/" in name else "upload"
        name, data = f"{folder}.zip", zip_of(files)
    return Upload(name, data, fields, token)
