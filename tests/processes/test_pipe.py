"""Parts: whole, or none."""

import io

from armdyn.processes.pipe import HEAD, part, read_part


def test_parts_come_out_as_they_went_in():
    stream = io.BytesIO(part(b"J", b"one") + part(b"B", b""))
    assert read_part(stream) == (b"J", b"one")
    assert read_part(stream) == (b"B", b"")
    assert read_part(stream) is None


def test_a_part_that_is_cut_is_none():
    whole = part(b"B", b"rows of a process that was killed while it wrote")
    for length in (1, HEAD.size, len(whole) - 1):
        assert read_part(io.BytesIO(whole[:length])) is None
