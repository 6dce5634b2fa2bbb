"""A client whose answers are the objects that the server sent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gpuodds


class JsonClient(gpuodds.Client):
    """A client whose equities are JSON objects, too."""

    def equity(self, *arguments: Any, **options: Any) -> Any:
        return super().equity(*arguments, **options).to_dict()

    def stream(self, *arguments: Any, **options: Any) -> Iterator[Any]:
        for kind, value in super().stream(*arguments, **options):
            yield kind, value if isinstance(value, float) else value.to_dict()
