"""Explanations of the server's answers: those of the library, and what came out of the cache."""

from __future__ import annotations

from dataclasses import replace

from gpuodds.methods.explain import explain
from gpuodds.methods.options import Options, SamplingOptions
from gpuodds.methods.planner import MONTE_CARLO, Plan, find_counting
from gpuodds.methods.showdown_costs import SECONDS_PER_CALL
from gpuodds.results.explanation import Considered
from gpuodds.results.restored import SYMMETRY
from gpuodds.server.messages import JsonObject
from gpuodds.server.parsed import ParsedRequest
from gpuodds.spots.normal_form import normal_form
from gpuodds.spots.spot import Spot

CACHE = "cache"


def with_explanation(
    request: ParsedRequest, answer: JsonObject, time_limit: float, *, cached: bool
) -> JsonObject:
    """Return an answer with its explanation, if the request asks for one.

    Args:
        request: The request.
        answer: The answer in the request's words.
        time_limit: Seconds that counting may take by default.
        cached: Whether the answer came out of the cache.
    """
    body = request.body
    if not body.explain:
        return answer
    limits = SamplingOptions(body.samples, body.standard_error, body.time_limit, body.seed)
    options = Options(body.method, body.table, "auto", body.counts_hands, body.made_hands, limits)
    limit = body.time_limit or time_limit
    found = explain(_plan(answer, request.spot, options, limit), options, limit, answer["backend"])
    if cached:
        rest = (
            replace(one, chosen=False, reason="the cache has the answer") if one.chosen else one
            for one in found.methods
        )
        why = "answered before, up to the names of the suits and the order of players"
        hit = Considered(CACHE, SECONDS_PER_CALL, True, why)
        found = replace(found, methods=(hit, *rest))
    return {**answer, **found.to_dict()}


def _plan(answer: JsonObject, spot: Spot, options: Options, limit: float) -> Plan:
    """Return the plan that led to an answer, by its method and the estimates."""
    found = None
    if answer["method"] not in (MONTE_CARLO, SYMMETRY):
        found = find_counting(spot, options, limit)
    if found is None:
        return Plan(normal_form(spot), answer["method"])
    return Plan(found.form, found.method, found.seconds, found.seconds)
