"""Arrays in npz files from strangers: never larger in memory than on disk, and never Python objects."""

import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from futex.errors import ModelError


def read_npz(path: Path) -> Mapping[str, NDArray[Any]]:
    """The arrays that `np.savez` wrote, by name, or one clear error."""
    try:
        with zipfile.ZipFile(path) as archive:
            _check_sizes(archive, path.stat().st_size)
            for member in archive.infolist():
                _check_shape(archive, member)
        with np.load(path, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in arrays.files}
    except Exception as error:  # numpy reads a header as Python, which can be wrong in any way
        raise ModelError(f"{path} does not hold arrays: {error}") from error


def _check_sizes(archive: zipfile.ZipFile, on_disk: int) -> None:
    """We write arrays as they are; compressed or overlapping ones could unfold to any size."""
    if sum(member.file_size for member in archive.infolist()) > on_disk:
        raise ValueError("they are larger than the file")
    if any(member.compress_type != zipfile.ZIP_STORED for member in archive.infolist()):
        raise ValueError("they are compressed")


def _check_shape(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> None:
    """Memory is taken by the shape that an array claims, before its numbers are read."""
    with archive.open(member) as file:
        version = npy.read_magic(file)
        read_header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, _, dtype = read_header(file)
        if dtype.hasobject:
            raise ValueError(f"{member.filename} holds Python objects")
        size = dtype.itemsize
        for length in shape:
            size *= length
        if min(shape, default=0) < 0 or size != member.file_size - file.tell():
            raise ValueError(f"{member.filename} has another size than it says")
