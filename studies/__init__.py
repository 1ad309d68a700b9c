"""The papers' claims made again as numbers: each study says what was expected, what was seen, and if they agree."""
