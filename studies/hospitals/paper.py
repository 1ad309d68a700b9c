"""Table 2 of the paper, for comparison: mean gains over its 148 weeks."""

from __future__ import annotations

from math import inf

WEEKS = 148
#: (MetaLeader, tree with the least noise, tree with the least regret, best linear learner) by state and level.
TABLE_2: dict[tuple[str, float], tuple[float, float, float, float]] = {
    ("NM", inf): (40.14, 26.48, 13.38, 43.91),
    ("NM", 1.0): (36.87, 22.83, 13.41, 40.69),
    ("NM", 0.5): (31.19, 19.56, 13.25, 34.14),
    ("NM", 0.25): (22.46, 15.58, 13.38, 25.85),
    ("PA", inf): (43.70, 27.42, 15.51, 48.61),
    ("PA", 1.0): (40.32, 23.55, 15.38, 44.30),
    ("PA", 0.5): (34.71, 20.03, 15.64, 38.06),
    ("PA", 0.25): (25.44, 16.09, 15.35, 28.73),
    ("CA", inf): (59.36, 31.12, 16.68, 66.23),
    ("CA", 1.0): (55.62, 25.09, 16.91, 61.16),
    ("CA", 0.5): (47.43, 22.14, 16.82, 54.21),
    ("CA", 0.25): (33.34, 17.93, 16.84, 38.43),
}
