"""What Prometheus is told of the service; each service has its own registry, so tests and projects do not mix."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

SECONDS = (0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30, 60)
PAPERS = (1, 2, 4, 8, 16, 32)
METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE")
"""Each label takes memory for good, and clients may make up methods."""


class Metrics:
    content_type = CONTENT_TYPE_LATEST

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._requests = Counter(
            "futex_requests", "Requests answered.", ["method", "route", "status"], registry=registry
        )
        self._seconds = Histogram(
            "futex_request_seconds", "Time to answer.", ["route"], registry=registry, buckets=SECONDS
        )
        self.waiting = Gauge("futex_papers_waiting", "Papers that wait to be ranked.", ["project"], registry=registry)
        self.batches = Histogram(
            "futex_batch_papers", "Papers ranked together.", ["project"], registry=registry, buckets=PAPERS
        )
        self.unreadable = Counter("futex_uploads_unreadable", "Uploads that no reader could read.", registry=registry)
        self.loaded = Gauge("futex_projects_loaded", "Projects ready to answer.", registry=registry)

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        self._requests.labels(method if method in METHODS else "other", route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def text(self) -> bytes:
        return generate_latest(self._registry)
