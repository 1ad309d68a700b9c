"""Who does the work: this process, other processes of this machine, or a cluster. The answer is the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

Work = TypeVar("Work")
Done = TypeVar("Done")

ENGINES = ("loky", "dask", "ray")


def in_order(work: Callable[[Work], Done], pieces: Sequence[Work], jobs: int, engine: str) -> Iterator[Done]:
    """The results of the pieces, in their order, each as soon as it and those before it are done.

    An interruption stops the workers too. Whatever is drawn comes from seeds that lie in the pieces.
    """
    if engine not in ENGINES:
        raise ValueError(f"engine is {engine!r}; it must be one of {', '.join(ENGINES)}")
    if engine == "loky" and (jobs == 1 or len(pieces) == 1):
        yield from map(work, pieces)
        return
    import joblib

    with _backend(engine, jobs):
        # Dask and Ray give their results all at once.
        flow = "generator" if engine == "loky" else "list"
        results = joblib.Parallel(n_jobs=jobs, return_as=flow)(joblib.delayed(work)(piece) for piece in pieces)
        try:
            yield from results
        except BaseException:
            if engine == "loky":
                _stop_workers()
            raise


@contextmanager
def _backend(engine: str, jobs: int) -> Iterator[None]:
    """joblib set to an engine: Dask and Ray use the cluster that is connected to, or start one here."""
    import joblib

    cluster = {"dask": _dask_cluster, "ray": _ray_cluster}.get(engine, _no_cluster)
    with cluster(jobs), joblib.parallel_config(engine):
        yield


@contextmanager
def _no_cluster(jobs: int) -> Iterator[None]:
    """Processes of this machine, which joblib starts by itself."""
    yield


@contextmanager
def _dask_cluster(jobs: int) -> Iterator[None]:
    """The Dask cluster that is connected to, or one of so many processes that ends with the work."""
    import distributed

    try:
        distributed.get_client()
    except ValueError:
        start: Any = distributed.Client
        with start(n_workers=jobs, threads_per_worker=1, dashboard_address=None):
            yield
    else:
        yield


@contextmanager
def _ray_cluster(jobs: int) -> Iterator[None]:
    """The Ray cluster that is connected to, or one of so many processes that ends with the work."""
    import ray
    from ray.util.joblib import register_ray

    register_ray()
    if ray.is_initialized():
        yield
        return
    ray.init(num_cpus=jobs, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    try:
        yield
    finally:
        ray.shutdown()


def _stop_workers() -> None:
    """End the processes that work for us: nothing is left behind by an interruption."""
    from joblib.externals.loky import get_reusable_executor

    executor: Any = get_reusable_executor()
    executor.shutdown(wait=True, kill_workers=True)
