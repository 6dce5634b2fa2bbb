"""The server's metrics, for Prometheus."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from gpuodds.server.cache.store import REASONS
from gpuodds.server.dispatch.dispatcher import Dispatcher


class Metrics:
    """The server's metrics, for Prometheus."""

    def __init__(self) -> None:
        """Start all counters at 0."""
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "gpuodds_requests_total",
            "Requests by route and status.",
            ("way", "status"),
            registry=self.registry,
        )
        self._seconds = Histogram(
            "gpuodds_request_seconds",
            "Seconds to the end of the answer.",
            ("way",),
            registry=self.registry,
        )
        self._refused = Counter(
            "gpuodds_refused_total",
            "Refused requests and connections by reason.",
            ("reason",),
            registry=self.registry,
        )
        self._jobs = Counter(
            "gpuodds_jobs_total", "Admitted jobs by kind.", ("kind",), registry=self.registry
        )

    def count_job(self, kind: str) -> None:
        """Count an admitted job."""
        self._jobs.labels(kind).inc()

    def count_refusal(self, reason: str) -> None:
        """Count a refused request or connection."""
        self._refused.labels(reason).inc()

    def count_request(self, route: str, status: int, seconds: float) -> None:
        """Count a request that has ended."""
        self._requests.labels(route, status).inc()
        self._seconds.labels(route).observe(seconds)

    def watch(self, dispatcher: Dispatcher) -> None:
        """Show the current state of a dispatcher, its pool and its cache."""
        pool, cache = dispatcher.pool, dispatcher.cache
        gauges: dict[str, tuple[str, Callable[[], float]]] = {
            "gpuodds_jobs_waiting": ("Jobs in the queue.", lambda: pool.waiting),
            "gpuodds_jobs_running": ("Jobs in worker processes.", lambda: pool.running),
            "gpuodds_listeners": ("Requests that wait for a job.", lambda: dispatcher.listeners),
            "gpuodds_workers_ready": ("Worker processes that are ready.", lambda: pool.processes),
            "gpuodds_worker_restarts": ("Worker processes replaced.", lambda: pool.restarts),
            "gpuodds_cache_hits": ("Requests answered from the cache.", lambda: cache.hits),
            "gpuodds_cache_misses": ("Requests not in the cache.", lambda: cache.misses),
            "gpuodds_cache_bytes": ("Bytes cached in memory.", lambda: cache.memory.num_bytes),
            "gpuodds_cache_failures": ("Failures of the cache's store.", lambda: cache.failures.total),
        }
        for name, (text, value) in gauges.items():
            Gauge(name, text, registry=self.registry).set_function(value)
        failures = Gauge(
            "gpuodds_cache_failures_by_reason",
            "Failures of the cache's store by reason.",
            ("reason",),
            registry=self.registry,
        )
        for reason in REASONS:
            failures.labels(reason).set_function(partial(cache.failures.counts.__getitem__, reason))
