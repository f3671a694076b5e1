"""The compiled likelihood of plain serial dependence: a response resembles the one before it.

The log-odds of all consequents of a rule base are shifted together by s, which follows the
distances of earlier responses and fades, whatever their outcome:

    s <- gamma s - alpha (distance - mean distance)

so that with alpha > 0 a response farther out than usual makes the next one farther out as well.
"""

from __future__ import annotations

import numpy as np

from fuzzybounds.learning.people.kernel import carry, update_slopes
from fuzzybounds.learning.people.lattice_pass import make_room, trial_log_likelihood
from fuzzybounds.learning.update_kernel import LOGIT, updated
from fuzzybounds.storage.compilation import njit


@njit(nogil=True)
def run_serial(subject, decided, traces, trace_slopes, response, theta, numbers, out, scores):
    """The counterpart of :func:`fuzzybounds.learning.people.kernel.run` for serial dependence."""
    o, step_size, leak = numbers[:3]
    slopes, (cues, rules) = scores.shape[0] > 0, theta.shape
    room = make_room(rules)
    by_theta, by_start = np.zeros(rules), np.zeros((rules, rules + 2))
    tables = (decided, traces, trace_slopes, np.zeros(3))
    start = theta.copy()
    # The shift of each rule base, and its derivatives by the step size and by the leak.
    shift, by_step, by_leak = np.zeros(cues), np.zeros(cues), np.zeros(cues)
    for trial in range(out.size):
        out[trial] = 0.0
        if not subject.on_lattice[trial]:
            continue
        cue = subject.cue[trial]
        for j in range(rules):
            theta[cue, j] = updated(start[cue, j], shift[cue], LOGIT)
        settings = (o, leak, False, slopes)
        out[trial] = trial_log_likelihood(
            subject, trial, tables, response[trial], theta[cue], settings, room, by_theta
        )
        if slopes:
            for j in range(rules):
                old = start[cue, j]
                by_old, by_shift = update_slopes(old, shift[cue], theta[cue, j], LOGIT)
                by_start[j, j] = by_old * old * (1.0 - old)
                by_start[j, rules] = by_shift * by_step[cue]
                by_start[j, rules + 1] = by_shift * by_leak[cue]
            carry(by_theta, by_start, scores[trial], cue)
        by_leak[cue] = leak * by_leak[cue] + shift[cue]
        by_step[cue] = leak * by_step[cue] + subject.deviation[trial]
        shift[cue] = leak * shift[cue] + step_size * subject.deviation[trial]
    for cue in range(cues):
        for j in range(rules):
            theta[cue, j] = updated(start[cue, j], shift[cue], LOGIT)
