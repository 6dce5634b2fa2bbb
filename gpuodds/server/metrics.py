"""What the server counts of itself, for Prometheus."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from gpuodds.server.dispatcher import Desk
from gpuodds.server.store import REASONS


class Figures:
    """What the server counts of itself, for Prometheus."""

    def __init__(self) -> None:
        """Begin at nothing."""
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "gpuodds_requests_total",
            "Requests by way and status.",
            ("way", "status"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "gpuodds_request_seconds",
            "Seconds to an answer's end.",
            ("way",),
            registry=self.registry,
        )

        self.refused = Counter(
            "gpuodds_refused_total",
            "Requests and connections refused by reason.",
            ("reason",),
            registry=self.registry,
        )

        self.jobs = Counter(
            "gpuodds_jobs_total", "Jobs taken by kind.", ("kind",), registry=self.registry
        )

    def take(self, kind: str) -> None:
        """Count a job that is taken."""
        self.jobs.labels(kind).inc()

    def refuse(self, reason: str) -> None:
        """Count a refusal."""
        self.refused.labels(reason).inc()

    def count(self, way: str, status: int, seconds: float) -> None:
        """Count a request."""
        self.requests.labels(way, status).inc()
        self.seconds.labels(way).observe(seconds)

    def watch(self, desk: Desk) -> None:
        """Show what a desk holds at the time of asking."""
        shown: dict[str, tuple[str, Callable[[], float]]] = {
            "gpuodds_jobs_waiting": ("Jobs in the queue.", lambda: desk.pool.waiting),
            "gpuodds_jobs_running": ("Jobs being worked on.", lambda: desk.pool.running),
            "gpuodds_listeners": ("Requests that wait for a job.", lambda: desk.listeners),
            "gpuodds_workers_ready": ("Worker processes.", lambda: desk.pool.processes),
            "gpuodds_worker_restarts": ("Worker processes replaced.", lambda: desk.pool.restarts),
            "gpuodds_cache_hits": ("Questions found in the cache.", lambda: desk.cache.hits),
            "gpuodds_cache_misses": ("Questions not found.", lambda: desk.cache.misses),
            "gpuodds_cache_bytes": ("Bytes kept in memory.", lambda: desk.cache.memory.bytes),
            "gpuodds_cache_failures": ("Failures of its store.", lambda: desk.cache.failures.total),
        }
        for name, (text, value) in shown.items():
            Gauge(name, text, registry=self.registry).set_function(value)
        counts = desk.cache.failures.counts
        failures = Gauge(
            "gpuodds_cache_failures_by_reason",
            "Failures of its store, by reason.",
            ("reason",),
            registry=self.registry,
        )
        for reason in REASONS:
            failures.labels(reason).set_function(partial(counts.__getitem__, reason))
