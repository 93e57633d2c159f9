"""Zstandard compression with the dictionary of match records.

`dictionary-1.bin` was trained by `python -m benchmarks.train_dictionary` on 251 matches of eight
games between built-in bots. Stored records can't be read without it: it never changes. A better one
gets another number, and its records another form.
"""

from functools import lru_cache
from pathlib import Path
from typing import Any

from league.model.zstandard import zstd_module

_LEVEL = 9

_MAGIC = b"\x28\xb5\x2f\xfd"
"""The first bytes of every frame, which are not stored."""

BYTES_MAX = 256 << 20
"""The most bytes of a record: one that a machine elsewhere sent may say anything."""

DICTIONARY = Path(__file__).with_name("dictionary-1.bin")


def compress(data: bytes) -> bytes:
    """Return a Zstandard frame without its magic number."""
    compressor = _compressor()
    frame: bytes = compressor.compress(data, compressor.FLUSH_FRAME)
    return frame[len(_MAGIC) :]


def decompress(data: bytes) -> bytes:
    """Return the data of `compress`; raise `ValueError` if these bytes are none."""
    zstd, dictionary = _loaded()
    decompressor = zstd.ZstdDecompressor(zstd_dict=dictionary)
    try:
        found: bytes = decompressor.decompress(_MAGIC + data, max_length=BYTES_MAX)
    except zstd.ZstdError as error:
        raise ValueError(str(error)) from None
    if not decompressor.eof or decompressor.unused_data:
        raise ValueError(f"not one whole frame of at most {BYTES_MAX:,} bytes")
    return found


@lru_cache(maxsize=1)
def _loaded() -> tuple[Any, Any]:
    zstd = zstd_module()
    return zstd, zstd.ZstdDict(DICTIONARY.read_bytes())


@lru_cache(maxsize=1)
def _compressor() -> Any:
    """Return a compressor that is made once, since loading its dictionary takes the most time."""
    zstd, dictionary = _loaded()
    options = {
        zstd.CompressionParameter.compression_level: _LEVEL,
        # Records have a checksum and one dictionary.
        zstd.CompressionParameter.checksum_flag: 0,
        zstd.CompressionParameter.dict_id_flag: 0,
    }
    return zstd.ZstdCompressor(options=options, zstd_dict=dictionary.as_digested_dict)
