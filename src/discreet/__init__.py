"""Private decisions, again and again: learn from losses that come from people, and reveal almost nothing of them."""

__version__ = "0.1.0"
