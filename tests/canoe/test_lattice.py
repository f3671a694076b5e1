import numpy as np

from fuzzybounds.canoe.lattice import compiled_edge_row, distance_of, edge_row, edges_of


def test_rows_number_every_edge_once_and_in_order():
    n, net, way = edges_of(30).T
    k = (n + net) // 2
    np.testing.assert_array_equal(edge_row(n, k, (way > 0).astype(int)), np.arange(930))
    assert [compiled_edge_row(n, k, 1) for n, k in ((0, 0), (3, 2), (29, 29))] == [1, 17, 929]


def test_the_display_ends_at_the_edge():
    distances = [distance_of(walked) for walked in (-281, -280, -3, 0, 279, 300)]
    assert distances == [280, 280, 3, 0, 279, 280]
