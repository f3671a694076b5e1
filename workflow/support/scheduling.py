"""Less work for Snakemake itself, and none for jobs without data."""

from __future__ import annotations

import logging

from snakemake.logging import logger
from snakemake.persistence import PersistenceBase as Persistence
from snakemake.workflow import Workflow

VALIDATION = "validate_logs"


def look_only_when_a_job_ends(workflow: Workflow) -> None:
    """Take away the limit on how many local jobs start in a second.

    For its sake the scheduler looks for jobs again one second after every look, and also after
    every job that ends: when a hundred have ended, it looks a hundred times a second.
    """
    if workflow.local_exec:
        workflow.scheduler.job_rate_limiter = None


def compare_parameters_without_pandas() -> None:
    """Let Snakemake compare parameters with those of earlier jobs without importing pandas.

    It would do so at every start, to recognise tables among them.  Here they are plain values: an
    option that is a table has no place in config.yaml.
    """
    Persistence._serialize_param = property(lambda self: self._serialize_param_builtin)


def stop_without_data(workflow: Workflow) -> None:
    """Let a run that keeps going after an error do so only when its logs are valid.

    Without valid logs it would go on with whatever does not need them, and tell what is wrong, or
    that there is no network, after that.
    """
    scheduler = workflow.scheduler
    pending = {job.jobid for job in workflow.dag.needrun_jobs() if job.rule.name == VALIDATION}
    if not (scheduler.keepgoing and pending):
        return

    class Watch(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            pending.discard(getattr(record, "job_id", None))
            if not pending:
                scheduler.keepgoing = True

    scheduler.keepgoing = False
    logger.addHandler(Watch())
