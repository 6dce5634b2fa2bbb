"""Explanations of the server's answers: those of the library, and what came out of the cache."""

from __future__ import annotations

from dataclasses import replace

from gpuodds.backends.costs import CALL
from gpuodds.methods.explain import explain
from gpuodds.methods.families import SAMPLING, load_method
from gpuodds.methods.method import MONTE_CARLO
from gpuodds.methods.options import Options, SamplingOptions
from gpuodds.methods.planner import Plan
from gpuodds.results.explanation import Considered
from gpuodds.results.restored import SYMMETRY
from gpuodds.server.messages import JsonObject
from gpuodds.server.requests import EquityRequest
from gpuodds.spots.normal_form import normal_form

CACHE = "cache"


def with_explanation(
    answer: JsonObject, body: EquityRequest, plan: Plan, *, cached: bool
) -> JsonObject:
    """Return an answer with its explanation.

    Args:
        answer: The answer in the request's words.
        body: The request.
        plan: Its plan, made to be explained.
        cached: Whether the answer came out of the cache.
    """
    limits = SamplingOptions(body.samples, body.standard_error, body.time_limit, body.seed)
    options = Options(body.method, body.table, "auto", body.counts_hands, body.made_hands, limits)
    explanation = explain(_as_answered(plan, answer["method"]), options, answer["backend"])
    plan.form.asked.forget()
    if cached:
        other_ways = (
            replace(way, chosen=False, reason="the cache has the answer") if way.chosen else way
            for way in explanation.methods
        )
        why = "answered before, up to the names of the suits and the order of players"
        hit = Considered(CACHE, CALL, True, why)
        explanation = replace(explanation, methods=(hit, *other_ways))
    return {**answer, **explanation.to_dict()}


def _as_answered(plan: Plan, answered: str) -> Plan:
    """Return a plan with the method that answered, where that is another than the plan's.

    At the deadline an estimate is the answer; and what the cache has may be of another time limit.

    Args:
        plan: The plan.
        answered: The method that the answer names.
    """
    is_symmetric = answered == SYMMETRY
    if answered == MONTE_CARLO:
        if plan.is_sampled:
            return plan
        form = normal_form(plan.form.asked, keep="all")
        return plan._replace(form=form, method=load_method(SAMPLING))
    if not plan.is_sampled and is_symmetric == (plan.method.name == SYMMETRY):
        return plan
    able = [
        way
        for way in plan.said
        if way.seconds is not None
        and way.method.name != MONTE_CARLO
        and is_symmetric == (way.method.name == SYMMETRY)
    ]
    best = min(able, key=lambda way: (not way.method.is_always, way.seconds), default=None)
    return plan._replace(form=plan.counted, method=best.method) if best else plan
