"""The canoe task: its kinematics and payoffs, paths, blocks of trials, and two-class points."""
