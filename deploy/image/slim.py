"""Shrink an environment for an image: `python slim.py /opt/bluffhouse`.

This removes installers, tests, headers, parts of Pillow, time zones, Babel's data of languages that
the bot doesn't have, libraries' symbols, and other packages' sources, which are replaced by
compiled modules. Bluffhouse's own sources stay, since its compiled kernels are checked against
them; packages' data files stay too.
"""

from __future__ import annotations

import ast
import compileall
import importlib.util
import marshal
import py_compile
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

OWN: Final = "bluffhouse"
INSTALLERS: Final = ("pip", "setuptools", "pkg_resources", "_distutils_hack")
# packages whose docstrings nothing reads (numpy and SQLAlchemy use their own at import)
UNDOCUMENTED: Final = ("PIL", "alembic", "discord", "pydantic", "rich", "textual")
ZONES: Final = "tzdata"  # the system has them
# packages' folders that nothing here imports
UNUSED: Final = (
    "discord/bin",  # libraries for voice
    "numba/cuda",
    "numba/testing",
    "numpy/distutils",
    "numpy/f2py",
    "pydantic/v1",
    "pygments/lexers",
    "sqlalchemy/dialects/mssql",
    "sqlalchemy/dialects/mysql",
    "sqlalchemy/dialects/oracle",
    "sqlalchemy/testing",
    "textual/demo",
)
KEPT: Final = ("pygments/lexers/__init__.py", "pygments/lexers/_mapping.py")
# tests and spare libraries: image formats that nobody sends, and functions that numpy has elsewhere
TWICE: Final = (
    "PIL/_avif.*.so",
    "PIL/_webp.*.so",
    "pillow.libs/libavif-*",
    "pillow.libs/libwebp*",
    "numpy/_core/_*tests.*.so",
    "numpy/_core/_simd.*.so",
)
FOR_COMPILERS: Final = (".a", ".c", ".cpp", ".h", ".hpp", ".pxd", ".pxi", ".pyi", ".pyx")


def languages(bot: Path) -> set[str]:
    """Return the names, without suffix, of the Babel data files that the bot's languages need."""
    folders = {one.name for one in (bot / "locales").iterdir() if one.is_dir()}
    return {"root", "en", *folders, *(name.partition("_")[0] for name in folders)}


def leave_out(packages: Path) -> None:
    """Delete the files that nothing in the image reads."""
    for name in (*INSTALLERS, ZONES):
        for one in (packages / name, *packages.glob(f"{name}-*.dist-info")):
            shutil.rmtree(one, ignore_errors=True)
    (packages / "distutils-precedence.pth").unlink(missing_ok=True)
    for tests in [one for one in packages.rglob("tests") if one.is_dir()]:
        shutil.rmtree(tests, ignore_errors=True)
    kept = {name: (packages / name).read_bytes() for name in KEPT if (packages / name).is_file()}
    for name in UNUSED:
        shutil.rmtree(packages / name, ignore_errors=True)
    for name, content in kept.items():
        (packages / name).parent.mkdir(parents=True, exist_ok=True)
        (packages / name).write_bytes(content)
    for pattern in TWICE:
        for one in packages.glob(pattern):
            one.unlink()
    for record in packages.glob("*.dist-info/RECORD"):  # for uninstalling
        record.unlink()
    for one in packages.rglob("*"):
        ours = one.relative_to(packages).parts[0] == OWN  # stubs are read when run
        if one.suffix in FOR_COMPILERS and one.is_file() and not ours:
            one.unlink()
    read = languages(packages / OWN / "bot")
    for one in (packages / "babel" / "locale-data").glob("*.dat"):
        if one.stem not in read:
            one.unlink()


def strip(packages: Path) -> None:
    """Remove symbols and debugging data from libraries.

    Leave those in folders `*.libs` alone: building their wheels changed them, so strip damages
    them.
    """
    for one in packages.rglob("*.so"):
        if not one.relative_to(packages).parts[0].endswith(".libs"):
            subprocess.run(["strip", "--strip-unneeded", str(one)], check=True)


def compile_sources(packages: Path) -> None:
    """Compile every module, and delete the sources of all packages but Bluffhouse.

    Compiled modules are never compared with their sources, since an image's layers may change the
    sources' times.
    """
    own = packages / OWN
    unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
    compileall.compile_dir(own, maxlevels=99, quiet=2, invalidation_mode=unchecked)
    for package in sorted(packages.iterdir()):
        if package == own:
            continue
        for source in sorted(package.rglob("*.py")) if package.is_dir() else [package]:
            documented = package.name not in UNDOCUMENTED
            if source.suffix == ".py" and compile_alone(source, documented=documented):
                source.unlink()
        if package.is_dir():
            for cache in list(package.rglob("__pycache__")):
                shutil.rmtree(cache)
    shutil.rmtree(packages / "__pycache__", ignore_errors=True)


def compile_alone(source: Path, *, documented: bool) -> bool:
    """Compile a module to a file next to its source, where Python finds it without the source.

    Empty its docstrings unless it's `documented`. Return False for a file that isn't Python of this
    version, such as a template.
    """
    content = source.read_bytes()
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError):
        return False
    for node in [] if documented else ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            match node.body:
                case [ast.Expr(value=ast.Constant(value=str()) as docstring), *_]:
                    docstring.value = ""
    code = compile(tree, str(source), "exec", dont_inherit=True)
    # PEP 552: a hash that nothing compares
    header = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little")
    compiled = header + importlib.util.source_hash(content) + marshal.dumps(code)
    source.with_suffix(".pyc").write_bytes(compiled)
    return True


def main(environment: Path) -> None:
    """Shrink an environment, and print its size afterwards."""
    (packages,) = environment.glob("lib/python3*/site-packages")
    leave_out(packages)
    strip(packages)
    compile_sources(packages)
    for one in (environment / "bin").glob("pip*"):
        one.unlink()
    size = sum(one.stat().st_size for one in environment.rglob("*") if not one.is_symlink())
    print(f"{environment}: {size / 1e6:.0f} MB")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
