"""Routes that read tables."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi import Path as InPath
from fastapi.responses import JSONResponse, Response

from gpuodds.server.answers import RowsAnswer, TablesAnswer
from gpuodds.server.problems import Problem
from gpuodds.server.routes.descriptions import described

TABLE_NAME = r"^[a-z][a-z0-9-]{0,40}$"
MAX_JSON_INTEGER = 1 << 53  # beyond it, JavaScript rounds

router = APIRouter()


@router.get("/v1/tables", responses=described(TablesAnswer))
async def tables(request: Request) -> Response:
    """The tables that ship, and those built in the server's folder or by name."""
    return JSONResponse(await asyncio.to_thread(_tables, request.app.state.settings.tables))


@router.get("/v1/tables/{name}/rows", responses=described(RowsAnswer))
async def rows(
    request: Request,
    name: Annotated[str, InPath(pattern=TABLE_NAME)],
    hand: Annotated[list[str], Query(max_length=3)],
    board: Annotated[str, Query(max_length=100)] = "",
) -> Response:
    """The rows of a table for some hands, on a board if it is a table of a street."""
    folder = request.app.state.settings.tables
    return JSONResponse(await asyncio.to_thread(_rows, folder, name, hand, board))


def _tables(folder: Path | None) -> dict[str, Any]:
    from gpuodds.tables.open import SHIPPED

    tables = [{"name": name, "ships": True} for name in SHIPPED]
    tables += [{"name": name, "ships": False} for name in sorted(_built(folder))]
    return {"tables": tables}


def _built(folder: Path | None) -> dict[str, Path]:
    """Return the folders of built tables by name; tables in ``folder`` take precedence."""
    from gpuodds.tables.files.locate import MANIFEST, built_tables

    own = [] if folder is None else [path.parent for path in folder.glob(f"*/{MANIFEST}")]
    return built_tables() | {path.name: path for path in own}


def _rows(folder: Path | None, name: str, hands: list[str], board: str) -> dict[str, Any]:
    from gpuodds.tables.open import SHIPPED, open_table, table

    built = {} if name in SHIPPED else _built(folder)
    if name not in SHIPPED and name not in built:
        raise Problem(404, "no-such-table", f"there is no table {name} here")
    opened = open_table(built[name], name) if built else table(name)
    rows = opened.lookup(*hands, board=board)
    return {"table": name, "rows": [{key: _cell(value) for key, value in row.items()} for row in rows]}


def _cell(value: Any) -> Any:
    """Return a value for JSON, integers that JavaScript would round as text."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= MAX_JSON_INTEGER:
        return str(value)
    return value if isinstance(value, int | float | str | list | None) else str(value)
