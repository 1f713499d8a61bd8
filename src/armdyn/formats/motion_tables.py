"""CSV and Parquet files as columns of numbers, read and written with Apache Arrow."""

from __future__ import annotations

import csv
import io
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from armdyn.errors import InputError
from armdyn.formats.reading import opened
from armdyn.formats.whole_file import whole_file
from armdyn.scalars import Array

SUFFIXES = (".csv", ".parquet")
LARGEST_HEADER = 2**16
"""No line of column names needs more bytes than this."""
BLANKS = ["", "NA", "N/A", "null"]
"""What stands in a cell of text for which there is no number, beside NaN."""
LARGEST_FILE = 2 * 2**30
"""Bytes of text or of numbers that are read; reading takes three or four times as much memory."""
UNPACKED, LARGEST_RATIO = 64 * 2**20, 200
"""So many bytes of numbers any .parquet file may have; more only up to so many times its own size."""
LARGEST_FOOTER = 2**20
"""No list in what a .parquet file says of itself needs more bytes than this."""


class ColumnFile(Protocol):
    """A file of columns."""

    @property
    def titles(self) -> Sequence[str]:
        """What stands above the columns."""
        ...

    @property
    def about(self) -> Mapping[str, str]:
        """What the file says of itself; text says nothing."""
        ...

    def numbers(self, places: Sequence[int], *, finite: bool = True) -> Array:
        """The columns at these places (samples, columns), every cell a finite number.

        Unless they must be `finite`, other numbers are left as they are, and blank cells are NaN.
        """
        ...

    def place(self, sample: int) -> str:
        """The file and where in it a sample stands, counted from 0."""
        ...


def open_columns(file: Path) -> ColumnFile:
    """A .csv or .parquet file, its titles read."""
    check_suffix(file)
    return ParquetColumns(file) if file.suffix.lower() == ".parquet" else CsvColumns(file)


def check_suffix(file: Path) -> None:
    """Refuse a name that is not of a motion file."""
    if file.suffix.lower() not in SUFFIXES:
        raise InputError(f'motion "{file}" ends in "{file.suffix}", expected {" or ".join(SUFFIXES)}')


def write_columns(
    file: Path,
    columns: Mapping[str, Array],
    said: Mapping[str, Mapping[str, str]] | None = None,
    about: Mapping[str, str] | None = None,
) -> None:
    """Write columns under their titles, all of the file or nothing.

    Parquet also keeps what is `said` of columns, by title, and `about` the file; text has no room for it.
    """
    check_suffix(file)
    pa: Any = import_module("pyarrow")
    table: Any = pa.table(dict(columns))
    if said or about:
        fields = [field.with_metadata(dict((said or {}).get(field.name, {}))) for field in table.schema]
        table = table.cast(pa.schema(fields, dict(about or {})))
    if file.suffix.lower() == ".parquet":
        parquet: Any = import_module("pyarrow.parquet")
        with whole_file(file) as sink:
            parquet.write_table(table, sink, write_page_checksum=True)
        return
    text: Any = import_module("pyarrow.csv")
    with whole_file(file) as sink:
        sink.write(f"{','.join(columns)}\n".encode())
        text.write_csv(table, sink, text.WriteOptions(include_header=False))


# CSV ------------------------------------------------------------------------------------------


class CsvColumns:
    """Text: a line of titles, a line for each sample, cells between commas."""

    def __init__(self, file: Path) -> None:
        """Read the text and its titles."""
        self._file = str(file)
        header, self._body = _read_text(file)
        self.titles = _titles(header, self._file)
        self.about: Mapping[str, str] = {}

    def numbers(self, places: Sequence[int], *, finite: bool = True) -> Array:
        """The columns at these places (samples, columns), every cell a finite number.

        Unless they must be `finite`, other numbers are left as they are, and blank cells are NaN.
        """
        pa: Any = import_module("pyarrow")
        text: Any = import_module("pyarrow.csv")
        names = [f"column {k}" for k in range(len(self.titles))]  # those of the file may occur twice
        wanted = [names[k] for k in places]
        if not self._body.strip():
            return np.empty((0, len(places)))
        try:
            table: Any = text.read_csv(
                pa.BufferReader(self._body),
                text.ReadOptions(column_names=names),
                convert_options=text.ConvertOptions(
                    include_columns=wanted,
                    column_types=dict.fromkeys(wanted, pa.float64()),
                    null_values=[] if finite else BLANKS,
                ),
            )
        except pa.ArrowException as error:
            self._find_mistake(places, finite)
            raise InputError(f"{self._file}: cannot be read as CSV, {error}") from error
        values = _side_by_side(table, wanted)
        if finite and not np.isfinite(values).all():
            self._find_mistake(places, finite)
        return values

    def place(self, sample: int) -> str:
        """The file and the line of a sample."""
        return next(place for k, (place, _) in enumerate(self._lines()) if k == sample)

    def _find_mistake(self, places: Sequence[int], finite: bool) -> None:
        """Refuse the first line that is not a sample."""
        for place, cells in self._lines():
            if len(cells) != len(self.titles):
                raise InputError(f"{place}: {len(cells)} cells, expected {len(self.titles)} as line 1 has")
            for k in places:
                if problem := _problem(cells[k], finite):
                    raise InputError(f'{place}, column "{self.titles[k]}": {problem}, expected a number')

    def _lines(self) -> Iterator[tuple[str, list[str]]]:
        """Where each sample begins, and its cells; blank lines are none."""
        text = io.TextIOWrapper(io.BytesIO(self._body), "utf-8", "replace", newline="")
        reader, begins = csv.reader(text), 2
        try:
            for cells in reader:
                if cells:
                    yield f"{self._file}, line {begins}", cells
                begins = reader.line_num + 2
        except csv.Error as error:
            raise InputError(f"{self._file}, line {begins}: cannot be read as CSV, {error}") from error


def _read_text(file: Path) -> tuple[bytes, bytes]:
    """The first line, and all others."""
    try:
        with opened(file) as source:
            header = source.readline(LARGEST_HEADER + 1)
            if len(header) > LARGEST_HEADER:
                raise InputError(
                    f"{file}: line 1 has more than {LARGEST_HEADER} bytes, expected the names of columns"
                )
            # all that there is: to ask for as much as there may be would take that much memory
            body = source.read() if os.fstat(source.fileno()).st_size <= LARGEST_FILE else None
    except (OSError, ValueError) as error:
        raise _unreadable(file, error) from error
    if body is None:
        raise InputError(f"{file}: larger than {_size(LARGEST_FILE)}; cut it, or write it as .parquet")
    return header, body


def _titles(header: bytes, file: str) -> list[str]:
    try:
        line = header.decode("utf-8-sig").strip("\r\n")
    except UnicodeDecodeError as error:
        raise InputError(f"{file}: not UTF-8 text (byte {error.start}), expected a CSV file") from error
    if not line.strip():
        what = "line 1 is blank" if header else "the file is empty"
        raise InputError(f"{file}: {what}, expected the names of columns: time,q1,..")
    if not line.replace("\t", " ").isprintable():
        raise InputError(f"{file}: line 1 has characters that no name has, expected a CSV file")
    if ";" in line and "," not in line:
        raise InputError(f"{file}: line 1 has semicolons between the names, expected commas")
    return [title.strip() for title in next(csv.reader([line]))]


def _problem(cell: str, finite: bool) -> str | None:
    """What keeps a cell from being a number, finite if it must be, if anything does."""
    text = cell.strip()
    if not finite and text in BLANKS:
        return None
    if not text:
        return "the cell is empty"
    shown = f'"{text if len(text) <= 40 else f"{text[:37]}..."}"'
    try:
        number = float(text)
    except ValueError:
        return f"{shown} is not a number"
    if "_" in text or not text.isascii():  # Python takes these
        return f"{shown} is not a number"
    return None if math.isfinite(number) or not finite else f"{shown} is not a finite number"


# Parquet --------------------------------------------------------------------------------------


class ParquetColumns:
    """Columns of numbers in binary."""

    def __init__(self, file: Path) -> None:
        """Read the titles and types."""
        pa: Any = import_module("pyarrow")
        parquet: Any = import_module("pyarrow.parquet")
        self._file = str(file)
        try:
            with opened(file) as source:  # says in plain words why not
                self._bytes = os.fstat(source.fileno()).st_size
        except (OSError, ValueError) as error:
            raise _unreadable(file, error) from error
        try:
            self._source: Any = parquet.ParquetFile(
                file, page_checksum_verification=True, thrift_container_size_limit=LARGEST_FOOTER // 16
            )
            self._types: Any = self._source.schema_arrow
        except (pa.ArrowException, OSError, ValueError) as error:
            raise InputError(f"{file}: not a Parquet file that can be read") from error
        self.titles: Sequence[str] = self._types.names
        said: Mapping[bytes, bytes] = self._types.metadata or {}
        self.about: Mapping[str, str] = {
            key.decode("utf-8", "replace"): value.decode("utf-8", "replace") for key, value in said.items()
        }

    def numbers(self, places: Sequence[int], *, finite: bool = True) -> Array:
        """The columns at these places (samples, columns), every cell a finite number.

        Unless they must be `finite`, other numbers are left as they are, and blank cells are NaN.
        """
        pa: Any = import_module("pyarrow")
        names = [self.titles[k] for k in places]
        for name, place in zip(names, places, strict=True):
            if self.titles.count(name) > 1:
                raise InputError(f'{self._file}: two columns are called "{name}", expected one')
            kind: Any = self._types.field(place).type
            if not (pa.types.is_floating(kind) or pa.types.is_integer(kind)):
                raise InputError(f'{self._file}: column "{name}" holds {kind}, expected numbers')
        self._check_size(names)
        try:
            table: Any = self._source.read(columns=names)
            types: Any = pa.schema([(name, pa.float64()) for name in names])
            values = _side_by_side(table.select(names).cast(types, safe=False), names)
        except (pa.ArrowException, OSError, ValueError) as error:
            raise InputError(f"{self._file}: damaged, its columns cannot be read") from error
        if finite and not np.isfinite(values).all():
            row, k = np.argwhere(~np.isfinite(values))[0]
            problem = f"{values[row, k]} is not a finite number"
            raise InputError(f'{self.place(int(row))}, column "{names[k]}": {problem}, expected a number')
        return values

    def _check_size(self, names: Sequence[str]) -> None:
        """Refuse numbers that would fill the memory; a few bytes may stand for as many as one likes."""
        rows = self._source.metadata.num_rows
        size = 8 * len(names) * rows
        if size > LARGEST_FILE:
            raise InputError(f"{self._file}: more than {_size(LARGEST_FILE)} of numbers; cut it")
        if size > max(UNPACKED, LARGEST_RATIO * self._bytes):
            packed = f"{rows} rows in {self._bytes} bytes"
            raise InputError(
                f"{self._file}: {packed}, no measured motion packs so well; cut it, or write .csv"
            )

    def place(self, sample: int) -> str:
        """The file and the number of a sample."""
        return f"{self._file}, sample {sample + 1}"


def _side_by_side(table: Any, names: Sequence[str]) -> Array:
    values = np.empty((table.num_rows, len(names)))
    for k, name in enumerate(names):
        values[:, k] = table[name].to_numpy()
    return values


def _unreadable(file: Path, error: OSError | ValueError) -> InputError:
    if isinstance(error, FileNotFoundError):
        return InputError(f"{file}: no such file")
    why = error.strerror if isinstance(error, OSError) else str(error)
    return InputError(f"{file}: cannot be read, {why or error}")


def _size(count: int) -> str:
    return f"{count / 2**30:g} GiB"
