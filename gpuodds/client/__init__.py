"""A client of the calculation server, for threads and for coroutines."""

from gpuodds.client.coroutines import AsyncClient
from gpuodds.client.threads import Client
from gpuodds.errors import ServerError

__all__ = ["AsyncClient", "Client", "ServerError"]
