"""The typeface of pictures: DejaVu Sans, which has the suits, as it comes with matplotlib.

Found without importing matplotlib, which would take half a second.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from PIL import ImageFont


@lru_cache(maxsize=32)
def font(size: int, bold: bool = False) -> ImageFont.FreeTypeFont:
    """DejaVu Sans in `size` pixels."""
    spec = find_spec("matplotlib")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError("matplotlib, which brings the typeface of pictures, is missing")
    folder = Path(spec.submodule_search_locations[0]) / "mpl-data" / "fonts" / "ttf"
    return ImageFont.truetype(folder / f"DejaVuSans{'-Bold' if bold else ''}.ttf", size)
