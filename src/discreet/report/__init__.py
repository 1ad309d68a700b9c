"""The owner's view of a replay, as a page, a table and plain data. None of it is private."""

from discreet.report.data import as_dict
from discreet.report.html import is_report, render
from discreet.report.table import print_table

__all__ = ["as_dict", "is_report", "print_table", "render"]
