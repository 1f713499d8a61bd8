"""The printed counts are as the documents print them, and as wrong as errata say."""

import pytest

from armdyn.mechanics.methods import METHODS
from armdyn.studies.counts import QUANTITIES
from armdyn.studies.published import _item, polynomial_at, published, published_beside


@pytest.mark.parametrize(
    ("formulation", "multiplications", "additions"),
    [("lagrange_euler", 101348, 77405), ("newton_euler", 792, 662), ("dalembert", 2963, 2209)],
)
def test_table_3_of_milicevic2007_for_six_joints(formulation, multiplications, additions):
    count = published_beside(formulation, "inverse", 6)
    assert count is not None
    assert (count.source, count.table, count.n) == ("Milicevic2007", "Table 3", 6)
    assert (count.multiplications, count.additions) == (multiplications, additions)
    assert count.polynomial is not None


@pytest.mark.parametrize("n", range(1, 13))
def test_polynomials_give_whole_numbers(n):
    assert [count.n for count in published(n) if count.polynomial] == [n, n, n]


def test_table_1_of_kvrgic2020():
    rows = [(c.n, c.multiplications, c.additions) for c in published(6) if c.table == "Table 1"]
    assert rows == [(3, 241, 188), (4, 484, 376), (5, 854, 662), (6, 1356, 1038)]


def test_table_2_of_kvrgic2020():
    rows = [(c.formulation, c.multiplications, c.additions) for c in published(6) if c.table == "Table 2"]
    assert rows == [
        ("walker_orin1", 3418, 2502),
        ("walker_orin2", 2308, 1692),
        ("newton_euler", 1627, 1255),
        ("articulated_body", 2190, 1915),
        (None, 2008, 1919),
        (None, 1948, 1667),
        ("mrnea", 1356, 1038),
    ]


def test_table_c1_of_kvrgic2020_contradicts_itself():
    """Items, rows, total and text give four sums."""
    rows = [count for count in published(6) if count.table == "Table C.1" and count.part]
    (total,) = (count for count in published(6) if count.table == "Table C.1" and not count.part)
    (text,) = (count for count in published(6) if count.table == "section 6")
    solving = rows[-1]
    items = [item for row in rows for item in row.items]
    assert len(rows) == 26
    assert len({item.name for item in items}) == len(items) == 239
    assert sum(item.multiplications for item in items) + solving.multiplications == 1741
    assert sum(item.additions for item in items) + solving.additions == 1279
    assert sum(row.multiplications for row in rows) == 1736
    assert sum(row.additions for row in rows) == 1281
    assert (total.multiplications, total.additions) == (1735, 1275)
    assert (text.multiplications, text.additions) == (1480, 1152)


def test_rows_that_are_not_the_sum_of_their_items_say_so():
    for row in published(6):
        if row.items:
            sums = sum(i.multiplications for i in row.items), sum(i.additions for i in row.items)
            differs = sums != (row.multiplications, row.additions)
            assert (f"the items sum to {sums[0]} M {sums[1]} A" in row.note) == differs


def test_names_are_those_of_armdyn():
    for count in published(6):
        assert count.quantity in QUANTITIES
        assert count.formulation is None or count.formulation in METHODS
        assert count.n > 0


def test_beside_is_what_stands_for_as_many_joints():
    assert published_beside("mrnea", "forward", 7) is None
    assert published_beside("dalembert", "forward", 6) is None
    six = published_beside("mrnea", "forward", 6)
    assert six is not None
    assert (six.table, six.multiplications, six.part) == ("Table 1", 1356, False)


def test_polynomials_are_read_as_written():
    assert polynomial_at("111 n - 4", 6) == 662
    assert polynomial_at("n^2 + n", 3) == 12
    assert polynomial_at("1/2 n^2 - 1/2 n + 7", 5) == 17
    assert polynomial_at("-n + 5", 3) == 2
    with pytest.raises(ValueError, match=r"^1/3 n is 5/3 for n = 5, expected a whole number$"):
        polynomial_at("1/3 n", 5)


@pytest.mark.parametrize("text", ["", "3 m", "2 n^2 * 4", "n^2 + 3 x", "2 n 3", "n^ 2 +", "1.5 n"])
def test_what_is_no_polynomial_is_refused(text):
    with pytest.raises(ValueError, match=r"^polynomial \".*\", expected terms as 128/3 n\^4, n or 4"):
        polynomial_at(text, 3)


@pytest.mark.parametrize("text", ["b_21 3M", "b_21 3M2A4", "3M2A", "b_21 3M2A d_11 0M0A"])
def test_what_is_no_item_is_refused(text):
    with pytest.raises(ValueError, match=rf'^item "{text}", expected one as "b_21 3M2A"$'):
        _item(text)
