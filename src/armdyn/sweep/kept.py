"""What comes back from a crew, checked and kept."""

from __future__ import annotations

from armdyn.errors import InputError
from armdyn.sweep.inputs import digest
from armdyn.sweep.manifest import Manifest
from armdyn.sweep.store.writer import Found, Store
from armdyn.sweep.versions import difference
from armdyn.sweep.workbench import Computed


class Kept:
    """The rows of a sweep that are in files."""

    def __init__(self, store: Store, manifest: Manifest, found: Found) -> None:
        """Those that were there before."""
        self._store, self._manifest = store, manifest
        self.numbers = found.numbers
        self.done = sum(self._rows(number) for number in found.numbers)
        self.without_answer = found.without_answer
        self.computed = 0
        self.notes: list[str] = []
        self._processors = {manifest.processor}

    def take(self, computed: Computed) -> None:
        """Write a chunk, once it is sure that it is what was computed, and with the same versions."""
        if digest(computed.data) != computed.digest:
            raise InputError("rows were damaged on their way from a worker; check the network, then --resume")
        if other := difference(dict(self._manifest.versions), computed.versions):
            raise InputError(f"a worker has {other}; give all machines the same versions, then --resume")
        if computed.chunk.number in self.numbers:
            return  # a worker that was given up has answered after all
        self._note_processor(computed.processor)
        try:
            self._store.write(computed)
        except InputError as error:
            kept = f"{self.done} of {self._manifest.total} rows are kept"
            raise InputError(f"{error}; {kept}, mend that and go on with --resume") from error
        rows = self._rows(computed.chunk.number)
        self.numbers.add(computed.chunk.number)
        self.done += rows
        self.computed += rows
        self.without_answer += computed.without_answer

    def _rows(self, number: int) -> int:
        chunk = self._manifest.chunks[number]
        return chunk.stop - chunk.first

    def _note_processor(self, name: str) -> None:
        if name not in self._processors:
            self._processors.add(name)
            self.notes.append(
                f'some rows were computed on "{name}", others on "{self._manifest.processor}": last digits '
                "may differ between them"
            )
