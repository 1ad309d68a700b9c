"""Figure 2 and table 2 of Jacobsen & Fawaz: which hospital will be fullest, from noisy reports?"""

from __future__ import annotations

from math import inf

from studies.hospitals.cases import LEVELS, play
from studies.hospitals.densities import densities
from studies.hospitals.figure import figure
from studies.hospitals.findings import findings
from studies.hospitals.records import read
from studies.hospitals.results import Results
from studies.hospitals.tables import tables
from studies.page import Page
from studies.recorded import recorded

ABOUT = """
Each week, choose the hospital of a state that will have the highest density of COVID patients; its density is the gain.
Jacobsen & Fawaz (2025, section 4) compare learners on noisy reports, of which nobody ever sees a patient count, with a
central learner that is given all counts (`TreeLeader`, Agarwal & Singh 2017). The three states and four levels are the
paper's, 100 repetitions, gains of `MetaLeader` over 13 learners: `RollingRegression` with windows of 8, 16, 32 and 64
weeks and weak, medium and strong penalty, and `RandomWalkLeader`.

{data}

**Density** is confirmed adult COVID patients over adult inpatient beds, occupied or not. The paper says "density of
COVID patients" and calculates sensitivity from beds. So does this: beds are public and do not depend on who is ill,
which occupied beds would. Rounds are the weeks in which any hospital reported; a gap between two is not seen by the
learners. A hospital with no row, no number or no beds in a week gains 0 there, and does not count among that week's
fewest beds; a density above 1 is 1. Hospitals count whose weekly averages add up to 100 or more.

**Privacy.** Neighbors differ in one person in one week, who can move the densities of that week by sqrt(2) over the
fewest beds of a hospital (`local.sensitivity_from_counts`). Reports are `GaussianReport` with each week's own
sensitivity, so every week has mu-Gaussian privacy, and so has all that follows, in both models. The trees add up weeks
with one noise, so theirs is for the week with the fewest beds; the last finding has reports with that noise too. (That
is the promise for counts as the hospitals know them. Here a suppressed count repeats an older one, so that one person
may reach further: that is how the file was made, not how reports would be.) Which hospitals count was settled with the
whole record, as in the paper, and is not covered. `MetaLeader` is told the root mean square of the weeks' noise as its
scale. Learners and noise have seeds here.

**Penalties** are 0.1, 1 and 10 times the sum of squares of a full window, so that slopes are shrunk by 1.1, 2 and 11;
they were not tuned. The paper does not print its own, which were chosen on other data of the same kind.
"""

REBUILT = """
**The data are not the paper's.** `../shared/data/hospitals_weekly_2021_2022.parquet` was rebuilt from public snapshots.
It has 67 weeks where the paper has 148, with gaps between them, and in the first of them no patients; confirmed cases
alone; and where a count below 4 was suppressed, it repeats the hospital's last one, or 0. So the paper's numbers are a
guide. The official file is public: the US Department of Health and Human Services has published it, as "COVID-19
Reported Patient Impact and Hospital Capacity by Facility". It is taken by its own columns where it lies in that folder
instead, as `hospitals_official.csv` or `.parquet`.
"""
OFFICIAL = """
**The data** are the official file, "COVID-19 Reported Patient Impact and Hospital Capacity by Facility", with confirmed
cases; where a count was suppressed (-999999) it is the hospital's last one that was not, or 0. What the findings say of
the number of hospitals is about another file.
"""

FILE = "hospitals_weekly_2021_2022.parquet"
FILES = (FILE, "hospitals_official.parquet", "hospitals_official.csv")
STATES = ("NM", "PA", "CA")
SEED, RUNS = 31, 100


def study(quick: bool, jobs: int) -> Page:
    """Play all settings; a week of many runs is one step of arrays, so one process does."""
    path = recorded(*FILES)
    records = read(path)
    states = [densities(records, state) for state in STATES]
    seen = [one.first(6) for one in states] if quick else states
    runs = 4 if quick else RUNS
    settings = [(state, mu) for state in seen for mu in LEVELS]
    played = [play(*one, runs, SEED + place) for place, one in enumerate(settings)]
    noisy = [(place, one) for place, one in enumerate(settings) if one[1] < inf]
    constant = [play(*one, runs, SEED + place, constant=True) for place, one in noisy]
    results = Results(seen, played, constant)
    caption = (
        f"Mean gains of {runs} repetitions, week by week. Shaded: from the worst to the best of the 12 rolling "
        "regressions. Dotted: the best single hospital in hindsight, up to each week."
    )
    about = ABOUT.format(data=(REBUILT if path.name == FILE else OFFICIAL).strip())
    return Page("Which hospital will be fullest?", about, tables(results), figure(results), caption, findings(results))
