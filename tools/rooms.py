"""The rooms of the package and the one direction in which they may import each other.

A room is a module or a folder right below `src/discreet`. `LAYERS` is the whole rule; `violations()` reads every
import of the source, those inside functions too, and says in one sentence each what breaks it.

    python -m tools.rooms
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "discreet"


@dataclass(frozen=True)
class Layer:
    """Rooms that stand side by side, and the layers whose rooms they may import.

    Importing a light layer loads nothing but NumPy and the standard library.
    """

    title: str
    rooms: tuple[str, ...]
    knows: tuple[str, ...] = ()
    light: bool = True


LAYERS = (
    Layer("ground", ("losses", "entropy", "guarantees", "exact")),
    Layer("steps", ("selection", "mechanisms", "schedules"), ("ground",)),
    Layer("learners", ("experts", "local", "convex"), ("ground", "steps")),
    Layer("aside", ("environments", "bounds"), ("ground",)),
    Layer("drivers", ("simulate", "audit", "replay"), ("ground", "steps", "learners", "aside"), light=False),
    Layer("faces", ("report", "cli"), ("ground", "steps", "learners", "aside", "drivers"), light=False),
)

#: The only imports within a layer: (who imports, what).
NEIGHBORS = frozenset({("cli", "report"), ("replay", "simulate"), ("convex", "experts"), ("local", "experts")})

#: What a light room may import from elsewhere, apart from the standard library, when it is imported itself.
LIGHT = frozenset({"numpy"})

LAYER_OF = {room: layer for layer in LAYERS for room in layer.rooms}


@dataclass(frozen=True, order=True)
class Import:
    """One imported name: where it stands, which room asks for it, and whether it runs when the module is imported."""

    file: str
    line: int
    room: str
    target: str
    runs: bool

    @property
    def known(self) -> str | None:
        """The room that is imported, None where the target lies outside the package or is the package itself."""
        package, _, rest = self.target.partition(".")
        room = rest.partition(".")[0]
        return room if package == PACKAGE.name and room and not room.startswith("_") else None

    @property
    def outside(self) -> str | None:
        """The distribution that is imported, None for the standard library and the package itself."""
        name = self.target.partition(".")[0]
        return None if name == PACKAGE.name or name in sys.stdlib_module_names else name


def rooms(package: Path = PACKAGE) -> dict[str, Path]:
    """The rooms that exist, each with the file that holds its docstring."""
    found = {}
    for file in sorted(package.rglob("*.py")):
        room = room_of(file, package)
        if room:
            folder = package / room
            found[room] = folder / "__init__.py" if folder.is_dir() else package / f"{room}.py"
    return found


def room_of(file: Path, package: Path) -> str:
    """The room of a file; `__main__.py` belongs to the command, `__init__.py` to no room: ''."""
    first = file.relative_to(package).parts[0].removesuffix(".py")
    return {"__init__": "", "__main__": "cli"}.get(first, first)


def imports(package: Path = PACKAGE) -> list[Import]:
    """Every import of every module, in order of file and line."""
    return sorted(found for file in package.rglob("*.py") for found in _imports_of(file, package))


def _imports_of(file: Path, package: Path) -> Iterator[Import]:
    shown = file.relative_to(package.parents[1]).as_posix()
    home = file.relative_to(package.parent).parts[:-1]
    for node, runs in _statements(ast.parse(file.read_text(encoding="utf-8"), str(file))):
        for target in _targets(node, home):
            yield Import(shown, node.lineno, room_of(file, package), target, runs)


def _statements(tree: ast.AST, runs: bool = True) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    """The import statements below a node, and whether they run when the module is imported."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node, runs
        else:
            yield from _statements(node, runs and not _deferred(node))


def _deferred(node: ast.AST) -> bool:
    """Whether what stands inside waits: the body of a function, or what only a type checker reads."""
    if isinstance(node, ast.If):
        return "TYPE_CHECKING" in ast.unparse(node.test)
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)


def _targets(node: ast.Import | ast.ImportFrom, home: tuple[str, ...]) -> list[str]:
    """The full dotted names that a statement imports."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    above = home[: len(home) - node.level + 1] if node.level else ()
    module = ".".join((*above, *([node.module] if node.module else [])))
    return [f"{module}.{alias.name}" for alias in node.names]


def edges(package: Path = PACKAGE) -> set[tuple[str, str]]:
    """Which room imports which, among those that exist."""
    found = rooms(package)
    return {(i.room, i.known) for i in imports(package) if i.room in found and i.known in found and i.room != i.known}


def violations(package: Path = PACKAGE) -> list[str]:
    """What breaks the rules, one sentence each; nothing when all is well."""
    strangers = [
        f"src/{PACKAGE.name}/{room}: {room!r} is no room of the layers in tools/rooms.py; give it a place there"
        for room in rooms(package)
        if room not in LAYER_OF
    ]
    found = imports(package)
    complaints = [_direction(i) for i in found] + [_weight(i) for i in found]
    return strangers + list(dict.fromkeys(filter(None, complaints)))


def _direction(i: Import) -> str:
    """The complaint about an import that points the wrong way, or ''."""
    if i.known is None or i.known == i.room or (i.room, i.known) in NEIGHBORS:
        return ""
    if not i.room:
        return f"{i.file}:{i.line}: the package itself imports {i.known}, so that every room would load it"
    mine, other = LAYER_OF.get(i.room), LAYER_OF.get(i.known)
    if mine is None or other is None or other.title in mine.knows:
        return ""
    allowed = " and ".join(mine.knows) or "nothing"
    who, what = f"{i.room} ({mine.title})", f"{i.known} ({other.title})"
    return f"{i.file}:{i.line}: {who} imports {what}; {mine.title} may import {allowed}"


def _weight(i: Import) -> str:
    """The complaint about a light room that loads something heavy when it is imported, or ''."""
    if not i.runs or i.outside is None or i.outside in LIGHT:
        return ""
    if i.room and i.room in LAYER_OF and not LAYER_OF[i.room].light:
        return ""
    who = i.room or "the package itself"
    return f"{i.file}:{i.line}: {who} loads {i.target} when it is imported; import it where it is used"


if __name__ == "__main__":
    broken = violations()
    print("\n".join(broken) or f"imports point one way: {len(edges())} between {len(rooms())} rooms")
    raise SystemExit(bool(broken))
