"""The store of answers in a Redis server, which several servers may share."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

from gpuodds.errors import InputError, excerpt
from gpuodds.server.cache.store import STORE_SECONDS, StoreError

EXPIRY_SECONDS = 30 * 86400


class RedisStore:
    """Stores answers in a Redis server, whose own settings bound its size."""

    def __init__(self, address: str) -> None:
        """Connect to an address such as redis://localhost:6379/0 at the first use.

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
        """Return the value of a key, None if there is none."""
        value = await _result(self._client.get(f"gpuodds:{key}"))
        return value.encode() if isinstance(value, str) else value

    async def put(self, key: str, value: bytes) -> None:
        """Store a value for a month."""
        await _result(self._client.set(f"gpuodds:{key}", value, ex=EXPIRY_SECONDS))

    async def delete(self, key: str) -> None:
        """Delete the value of a key."""
        await _result(self._client.delete(f"gpuodds:{key}"))

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()


async def _result(command: Awaitable[Any]) -> Any:
    """Return the result of a command.

    Raises:
        StoreError: Redis does not answer, or refuses the command.
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
