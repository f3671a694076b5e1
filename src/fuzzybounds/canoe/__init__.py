"""The canoe task.

:mod:`task` (kinematics, payoffs, simulated trials), :mod:`lattice` (the steps that the canoe can
make), :mod:`belief` (what they say), :mod:`paths` (from a response to the paths that lead to it),
:mod:`block_windows` (first and last blocks), :mod:`samples` (two-class points).
"""
