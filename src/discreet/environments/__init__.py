"""Where losses come from in a study."""

from discreet.environments.example import example_log

__all__ = ["example_log"]
