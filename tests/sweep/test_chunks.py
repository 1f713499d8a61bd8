"""Chunks: rows cut into pieces, and how large these are."""

import pytest

from armdyn.sweep.chunks import TARGET_BYTES, TARGET_SECONDS, Chunks, rows_of_chunk


@pytest.mark.parametrize("scattered", [False, True])
@pytest.mark.parametrize(("total", "rows"), [(1, 1), (1, 9), (10, 3), (64, 1), (100, 7)])
def test_every_row_is_in_one_chunk(total, rows, scattered):
    chunks = list(Chunks(total, rows).in_order(scattered))
    assert sorted(row for chunk in chunks for row in range(chunk.first, chunk.stop)) == list(range(total))
    assert all(chunk == Chunks(total, rows)[chunk.number] for chunk in chunks)


def test_scattered_chunks_cover_a_study_from_the_beginning():
    first = [chunk.number for chunk in Chunks(64, 1).in_order(True)][:4]
    assert sorted(first) == [0, 16, 32, 48]


def test_a_chunk_takes_some_seconds():
    assert rows_of_chunk(10**9, 2, 1e-3, 100) == pytest.approx(TARGET_SECONDS / 1e-3, rel=0.01)


def test_a_chunk_has_not_too_many_bytes():
    assert rows_of_chunk(10**9, 2, 1e-9, 100) == TARGET_BYTES // 100


def test_a_row_that_takes_longer_is_a_chunk_of_its_own():
    assert rows_of_chunk(100, 2, 60.0, 100) == 1


def test_there_are_chunks_for_all_workers():
    assert Chunks(100, rows_of_chunk(100, 4, 0.1, 100)).count >= 16
