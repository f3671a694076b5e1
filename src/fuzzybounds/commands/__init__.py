"""What the commands of ``fuzzybounds`` do.

:mod:`project` (where the workflow is, and how it is run), :mod:`workflow` (``run``, ``report``,
``compare``, ``show``, ``list``, ``fetch``, ``crate``), :mod:`logs` (``validate``, ``import``),
:mod:`plan` (``plan``, ``register``) and :mod:`doctor`.
"""
