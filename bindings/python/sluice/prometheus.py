"""A collector for prometheus_client, which has to be installed.

    from prometheus_client import REGISTRY
    import sluice.prometheus

    REGISTRY.register(sluice.prometheus.Collector(compiler))

Importing this module imports neither prometheus_client nor the library.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ._compiler import Compiler


class Collector:
    """Collects the metrics of `Compiler.prometheus` at each scrape. Thread-safe; it keeps its compilers alive."""

    def __init__(self, compilers: Compiler | Mapping[str, Compiler]) -> None:
        """Makes a collector.

        Args:
            compilers: one compiler, or several by the value of the label `compiler` that tells their samples apart.
        """
        if isinstance(compilers, Compiler):
            compilers = {"": compilers}
        self._compilers = dict(compilers)

    def collect(self) -> Iterator[Any]:
        """Yields one metric family of prometheus_client for each metric."""
        from prometheus_client.metrics_core import Metric
        from prometheus_client.parser import text_string_to_metric_families

        families: dict[str, Metric] = {}
        for label, compiler in self._compilers.items():
            more = {"compiler": label} if label else {}
            for read in text_string_to_metric_families(compiler.prometheus()):
                family = families.setdefault(read.name, Metric(read.name, read.documentation, read.type))
                for sample in read.samples:
                    family.add_sample(sample.name, {**more, **sample.labels}, sample.value)
        yield from families.values()
