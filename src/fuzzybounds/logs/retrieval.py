"""Get a published file from a mirror folder or by download, whole or not at all."""

from __future__ import annotations

import hashlib
import shutil
from http.client import HTTPException
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from fuzzybounds.core.documents import read_yaml
from fuzzybounds.core.errors import InputError
from fuzzybounds.core.tables import replacing

TIMEOUT = 30
"""Seconds to wait for the server."""
MIRROR = "FUZZYBOUNDS_MIRROR=<folder>"


def published() -> dict[str, dict]:
    """Return where each published log comes from, and how to know that it is whole."""
    return read_yaml(Path(__file__).with_name("published.yaml"))


def retrieve(
    file: str,
    *,
    url: str,
    sha256: str,
    size: int,
    mirror: str | None,
    destination: str | Path,
    archive: str = "",
) -> str:
    """Put a published file in place after checking its hash, and say where it came from.

    A `mirror` is a folder that holds it already, under its name; then nothing is downloaded.  The
    address of an `archive` is asked only if the file cannot be downloaded from its own.  A
    file that is not whole is never seen at `destination`; it is an :class:`InputError`.
    """
    source = Path(mirror) / file if mirror else None
    origin = str(source or url)
    with replacing(destination) as temporary:
        if source is None:
            try:
                _download(file, url, temporary, size)
            except InputError:
                if not archive:
                    raise
                origin = archive
                _download(file, archive, temporary, size)
        elif source.is_file():
            shutil.copyfile(source, temporary)
        else:
            raise InputError(
                f"{source}: no such file",
                [f"expected a mirror with the published file under this name: {MIRROR}"],
            )
        verify(temporary, sha256=sha256, size=size, name=origin)
    return origin


def verify(path: str | Path, *, sha256: str, size: int, name: str | None = None) -> None:
    """Raise an :class:`InputError` with both hashes unless a file is the one expected."""
    content = Path(path).read_bytes()
    again = "delete it and rerun the same command, which gets it again"
    digest = hashlib.sha256(content).hexdigest()
    if digest != sha256:
        raise InputError(
            f"{name or path}: not the published file",
            [
                f"sha256 {digest}; expected {sha256}",
                f"{len(content)} bytes; expected {size}",
                "nothing was kept; download it again, or use another mirror" if name else again,
            ],
        )


def _download(file: str, url: str, temporary: Path, size: int) -> None:
    try:
        with urlopen(url, timeout=TIMEOUT) as response, open(temporary, "wb") as target:
            # One byte more than expected is enough to know that it is not the file.
            target.write(response.read(size + 1))
    except (URLError, HTTPException, OSError) as error:
        raise InputError(
            f"{file}: cannot be downloaded ({getattr(error, 'reason', error)})",
            [
                f"either connect to the network, so that {url} can be reached,",
                f"or put {file} into a folder and name that: {MIRROR}",
            ],
        ) from error
