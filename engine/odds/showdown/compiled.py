"""The kernels that showdown odds call, which run without numba once they have been compiled."""

from __future__ import annotations

from typing import Final

from engine.odds.machine_code import Kernel

_KERNELS: Final = "engine.odds.showdown.kernels"

count_boards: Final = Kernel(f"{_KERNELS}.count", "count_boards")
count_heads_up: Final = Kernel(f"{_KERNELS}.count", "count_heads_up")
count_in_order: Final = Kernel(f"{_KERNELS}.conditions", "count_in_order")
count_orders: Final = Kernel(f"{_KERNELS}.joint", "count_orders")
count_street: Final = Kernel(f"{_KERNELS}.streets", "count_street")
count_two_boards: Final = Kernel(f"{_KERNELS}.joint", "count_two_boards")
enumerate_deals: Final = Kernel(f"{_KERNELS}.deal", "enumerate_deals")
fit_ranks: Final = Kernel(f"{_KERNELS}.conditions", "fit_ranks")
sample_deals: Final = Kernel(f"{_KERNELS}.deal", "sample_deals")
sample_fitting: Final = Kernel(f"{_KERNELS}.conditions", "sample_fitting")
sample_in_lanes: Final = Kernel(f"{_KERNELS}.lanes", "sample_in_lanes")
