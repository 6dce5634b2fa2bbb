"""Answers in a Redis server, shared by many."""

from __future__ import annotations

from typing import Any

from gpuodds.errors import InputError, excerpt
from gpuodds.server.store import STORE_SECONDS, StoreError

REDIS_SECONDS = 30 * 86400


class Redis:
    """Answers in a Redis server, shared by many; its own settings bound its size."""

    def __init__(self, address: str) -> None:
        """Take an address such as redis://localhost:6379/0.

        Raises:
            InputError: The redis package is not installed, or the address cannot be read.
        """
        try:
            import redis.asyncio as client
            from redis.asyncio.retry import Retry
            from redis.backoff import NoBackoff
        except ImportError:
            raise InputError("cache: redis is not installed: pip install 'gpuodds[server]'") from None
        try:
            self._client = client.from_url(
                address,
                socket_timeout=STORE_SECONDS,
                socket_connect_timeout=STORE_SECONDS,
                retry=Retry(NoBackoff(), 0),
            )
        except ValueError as error:
            raise InputError(f"cache {excerpt(address)}: {error}") from None

    async def get(self, key: str) -> bytes | None:
        """Return what is kept, if anything."""
        value = await _answered(self._client.get(f"gpuodds:{key}"))
        return value.encode() if isinstance(value, str) else value

    async def put(self, key: str, value: bytes) -> None:
        """Keep an answer for a month."""
        await _answered(self._client.set(f"gpuodds:{key}", value, ex=REDIS_SECONDS))

    async def delete(self, key: str) -> None:
        """Keep an answer no longer."""
        await _answered(self._client.delete(f"gpuodds:{key}"))

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()


async def _answered(command: Any) -> Any:
    """Return what Redis answers to a command.

    Raises:
        StoreError: It does not, or refuses.
    """
    import redis

    try:
        return await command
    except (redis.ConnectionError, redis.TimeoutError, OSError) as error:
        raise StoreError("unreachable", error or type(error).__name__) from None
    except redis.OutOfMemoryError as error:
        raise StoreError("full", error) from None
    except redis.RedisError as error:
        is_other_type = str(error).startswith("WRONGTYPE")
        raise StoreError("damaged-value" if is_other_type else "other", error) from None
