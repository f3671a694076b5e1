"""Less work for Snakemake's scheduler."""

from __future__ import annotations

from snakemake.workflow import Workflow


def look_only_when_a_job_ends(workflow: Workflow) -> None:
    """Take away the limit on how many local jobs start in a second.

    For its sake the scheduler looks for jobs again one second after every look, and also after
    every job that ends: when a hundred have ended, it looks a hundred times a second.
    """
    if workflow.local_exec:
        workflow.scheduler.job_rate_limiter = None
