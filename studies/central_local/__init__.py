"""What it costs that nobody sees the losses, on the flu forecasters."""

from __future__ import annotations

from studies.central_local.cases import central, local
from studies.central_local.figure import figure
from studies.central_local.findings import findings
from studies.central_local.forecasters import read
from studies.central_local.results import Results
from studies.central_local.tables import tables
from studies.page import Page
from studies.recorded import recorded

ABOUT = """
A desk follows one of 13 forecasting teams of the US flu season in each of 3,554 rounds, a week in a place. In the
central model its learner sees all losses and releases the choices; in the local model each round's losses get noise
where they arise, and the learner sees reports alone (Jacobsen & Fawaz 2025). What does that cost?

**How.** `../shared/data/flu_forecasters_losses.parquet`: a team's weighted interval score over the largest of the
round, so losses are in [0, 1]. Realized regret at the end: the losses of the teams followed less those of the team that
is best over all rounds. Central: `PrivateLeader` and `NoisyLeader`, epsilon-private; `TreeLeader`, mu-Gaussian private,
with the least noise. Local: `RandomWalkLeader` and `AdaptiveBatchLeader` on the same `GaussianReport`s, mu-Gaussian
private. Neighbors are the same for all: one round's losses may be replaced, by any others in [0, 1], so all 13 may move
and the sensitivity is sqrt(13), however close together losses really are. 400 runs, with seeds.

**What is as much.** No mu is exactly an epsilon (`studies/central_local/equivalent.py`). Two readings, and both ways
round in the first table:

- *Equal best guess.* Whoever guesses which of two neighbors it was is right with chance e^epsilon / (1 + e^epsilon)
  and Phi(mu / 2). This is the smallest mu that every epsilon-private learner has. A mu-Gaussian one promises less than
  epsilon: rare outcomes may reveal more. This reading is kind to the local model.
- *Equal epsilon at delta 10^-6.* The largest mu with which every learner is (epsilon, 10^-6)-private. A mu-Gaussian
  learner then promises more than epsilon for all that is not rare. This reading is hard on the local model.
"""

FILE = "flu_forecasters_losses.parquet"
SEED, RUNS = 41, 400


def study(quick: bool, jobs: int) -> Page:
    """Play all learners; of the local ones a round of many runs is one step of arrays, so one process does."""
    data = read(recorded(FILE))
    data, runs = (data.first(150), 5) if quick else (data, RUNS)
    results = Results(data, central(data, runs, SEED, jobs), local(data, runs, SEED))
    caption = (
        "Regret over epsilon with 95 % intervals, the Gaussian learners at the mu that is as much by each reading. The "
        "two local learners lie on each other. Black: a team drawn by lot each round."
    )
    return Page("What the local model costs", ABOUT, tables(results), figure(results), caption, findings(results))
