"""What the paper does not have.

:mod:`controls` (tests that could refute what the paper concludes), :mod:`multiverse` (every
combination of the choices that the paper leaves open), :mod:`recovery` (are known truths found
again?), :mod:`stopping` (rules against boundaries on one likelihood), :mod:`learners` (the optimum,
what learning can reach, what follows an error) and :mod:`figures` (the supplementary ones).
"""
