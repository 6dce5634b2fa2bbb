"""Whether a folder is safe to run code from: only its user and root can change what it holds.

Numba's cache is made of pickles, and loading one runs what it says. CuPy's holds machine code. So a
folder of theirs is used only if this module finds no reason against it. Nothing heavy is imported.
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress

MAX_LINKS = 40  # that one path may go through, as many as Linux follows
ROOTS = 0  # the group of root
ADMIN = 80  # the group of those who may become root on macOS; Homebrew's folders are writable for it


def why_untrusted(path: str) -> str | None:
    """Return why another user could change what is at a path, None if none but root could.

    What is there may be of any kind, or missing: then it must be safe to create it. Each folder on the
    way counts, and each symbolic link. All must belong to this user, to root, or to the owner of ``/``,
    who stands for root in a container. None may be writable for others, except folders with the sticky
    bit on the way, such as ``/tmp``; nor for a group, unless it is the owner's private group (of the
    same name, without other members), root's group, or that of the administrators on macOS.

    Args:
        path: A file or folder. A relative path is never trusted: who chooses the working directory
            would choose what is there.
    """
    if not os.path.isabs(path):
        return f"{path} is relative to the working directory"
    if sys.platform == "win32":  # its users cannot write in each other's folders by default
        return None
    at, links = os.sep, 0
    parts = _parts(path)
    why = _why_not(at, os.lstat(at), is_end=not parts)
    while parts and why is None:
        name = parts.pop()
        if name == os.pardir:
            at = os.path.dirname(at)
            continue
        here = os.path.join(at, name)
        try:
            status = os.lstat(here)
        except FileNotFoundError:
            return None
        except OSError as error:
            return f"{here}: {error.strerror}"
        why = _why_not(here, status, is_end=not parts)
        if not stat.S_ISLNK(status.st_mode):
            at = here
            continue
        links += 1
        if links > MAX_LINKS:
            return f"{path}: too many symbolic links"
        target = os.readlink(here)
        parts += _parts(target)
        if os.path.isabs(target):
            at = os.sep
    return why


def make_folder(path: str) -> None:
    """Create a folder and those above it, writable for this user alone whatever the umask is.

    Raises:
        OSError: It cannot be created.
    """
    if os.path.isdir(path):
        return
    above = os.path.dirname(path)
    if above and above != path:
        make_folder(above)
    with suppress(FileExistsError):
        os.mkdir(path, 0o755)


def _parts(path: str) -> list[str]:
    """Return the names in a path, the first one last."""
    return [name for name in reversed(path.split(os.sep)) if name not in ("", os.curdir)]


def _why_not(path: str, status: os.stat_result, *, is_end: bool) -> str | None:
    """Return why another user could change this part of a path."""
    # os.geteuid is not on Windows, which mypy checks too.
    ours: int = getattr(os, "geteuid")()  # noqa: B009
    if status.st_uid not in (0, ours, os.lstat(os.sep).st_uid):
        return f"{path} belongs to {_user_name(status.st_uid) or f'the user {status.st_uid}'}"
    if stat.S_ISLNK(status.st_mode):  # whose mode means nothing
        return None
    if status.st_mode & stat.S_ISVTX and stat.S_ISDIR(status.st_mode) and not is_end:
        return None  # others may add to it, but not replace what is there
    if status.st_mode & stat.S_IWOTH:
        return f"{path} is writable for everyone"
    if status.st_mode & stat.S_IWGRP and not _is_private(status.st_gid, status.st_uid):
        return f"{path} is writable for the group {_group_name(status.st_gid)}"
    return None


def _is_private(group: int, owner: int) -> bool:
    """Return whether the group of a file has no other members than its owner and root.

    Debian, Ubuntu and Fedora give each user a group of the same name, and a umask of 002. The owner of
    a container's files may have no name: then the group's number must be the owner's.
    """
    if group == ROOTS or (sys.platform == "darwin" and group == ADMIN):
        return True
    name = _user_name(owner)
    if sys.platform != "win32":
        from grp import getgrgid

        with suppress(KeyError):
            entry = getgrgid(group)
            return name == entry.gr_name and set(entry.gr_mem) <= {name}
    return name is None and group == owner


def _user_name(number: int) -> str | None:
    if sys.platform != "win32":
        from pwd import getpwuid

        with suppress(KeyError):
            return getpwuid(number).pw_name
    return None


def _group_name(number: int) -> str:
    if sys.platform != "win32":
        from grp import getgrgid

        with suppress(KeyError):
            return getgrgid(number).gr_name
    return str(number)
