"""What a replay found, as a page, a table and plain data: of losses for their owner alone, of reports for anyone."""

from discreet.report.data import as_dict
from discreet.report.estimates_page import render_estimates
from discreet.report.estimates_table import print_estimates
from discreet.report.html import is_owners_report, is_report, render
from discreet.report.table import print_table

__all__ = ["as_dict", "is_owners_report", "is_report", "print_estimates", "print_table", "render", "render_estimates"]
