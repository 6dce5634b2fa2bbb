"""The site's configuration; ``.ci/docs`` builds it."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import typer.main
from sphinx.util.logging import getLogger
from sphinx.util.nodes import make_refnode
from typer.cli import get_docs_for_click

from gpuodds import __version__
from gpuodds.cli.main import make_app

logger = getLogger(__name__)
project = "gpuodds"
author = copyright = "The gpuodds authors"
version = release = __version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "sphinx_design",
]
source_suffix = {".md": "myst-nb", ".py": "myst-nb", ".rst": "restructuredtext"}
exclude_patterns = ["examples", "conf.py", "static"]
nitpicky = True
# Types of others, which have no page here.
nitpick_ignore_regex = [
    (
        "py:.*",
        r"(collections|concurrent|datetime|fractions|numpy|np|npt|os|pathlib|pa|pyarrow|typing)\..*",
    ),
    ("py:.*", "Fraction|Path|PathLike|datetime"),
    # Types that signatures name, which users neither make nor read.
    (
        "py:.*",
        r"(.*\.)?(Amount|Answers|BackendName|BetOptions|Chips|Count|GameName|GivenSidePot|Habits|Hand|HeldHands"
        r"|Holdem|Layout|Luck|Manifest|MethodName|Number|Players|Price|Prize|Progress|Random|RangeFacts|Standing"
        r"|StreamEvent|Tracker)",
    ),
]

autodoc_default_options = {"members": True}
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
add_module_names = False
napoleon_numpy_docstring = False
napoleon_use_rtype = False

myst_heading_anchors = 4
smartquotes_action = "qe"  # quotes and ellipses; -- begins an option
myst_enable_extensions = ["colon_fence"]

nb_custom_formats = {".py": ["jupytext.reads", {"fmt": "py:percent"}]}
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_merge_streams = True

copybutton_exclude = ".linenos, .gp, .go"  # the prompts and the output of a session
html_theme = "furo"
html_title = "gpuodds"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0c6157", "color-brand-content": "#0c6157"},
    "dark_css_variables": {"color-brand-primary": "#5ad1bf", "color-brand-content": "#5ad1bf"},
}
html_show_sphinx = False
html_copy_source = False
# Pages of the repository that stand outside docs/, and where the site has them.
OUTSIDE = {f"../{name.upper()}.md": f"{name}.md" for name in ("contributing", "changelog", "security")}


def command_options() -> str:
    """Return the page of every command's options, from the help texts."""
    command = typer.main.get_command(make_app())
    context: Any = command.context_class(command, info_name="gpuodds")
    text = get_docs_for_click(obj=command, ctx=context, name="gpuodds", title="Options")
    text = re.sub(r"^\*\*Commands\*\*:\n\n(?:\*.+\n)+", "", text, flags=re.M)  # shortened; they follow
    return re.sub(r"^Examples?:\n((?:.+\n)+)", r"```sh\n\1```\n", text, flags=re.M)


def read_source(app: object, name: str, source: list[str]) -> None:
    """Point links at the site's pages, and fill in the page of options."""
    if name == "options":
        source[0] = command_options()
    for page, ours in OUTSIDE.items():
        source[0] = source[0].replace(f"]({page}", f"]({ours}")


def keep_colons(
    app: object, kind: str, name: str, what: object, options: object, lines: list[str]
) -> None:
    """Keep napoleon from reading the words before a colon as the type of an attribute."""
    if kind in ("attribute", "property", "data"):
        lines[:0] = ["..", ""]  # a comment, which has no colon


def find_by_last_name(app: Any, env: Any, node: Any, content: Any) -> Any:
    """Resolve a type that a signature names by the module of its code, or by its name alone."""
    if node.get("refdomain") != "py":
        return None
    domain, last = env.domains.python_domain, node["reftarget"].rpartition(".")[2]
    found = [
        name
        for name, one in domain.objects.items()
        if name.rpartition(".")[2] == last and not one.aliased
    ]
    if len(found) != 1:
        return None
    place = domain.objects[found[0]]
    return make_refnode(app.builder, node["refdoc"], place.docname, place.node_id, content, found[0])


def check_public_names(app: object, env: Any) -> None:
    """Warn of public names that no page of the reference has."""
    objects = env.domains.python_domain.objects
    stability = (Path(__file__).parent / "stability.md").read_text("utf-8")
    for module in re.findall(r"^\| `(gpuodds[\w.]*)` \|", stability, re.M):
        for name in import_module(module).__all__:
            if f"{module}.{name}" not in objects and not name.startswith("__"):
                logger.warning("docs/api has no page for %s.%s", module, name)


def setup(app: Any) -> None:
    """Register what is done to each source, and to references."""
    app.connect("source-read", read_source)
    app.connect("autodoc-process-docstring", keep_colons, priority=400)
    app.connect("missing-reference", find_by_last_name)
    app.connect("env-check-consistency", check_public_names)
