"""Speed and regret, always as ratios measured in one run: `make bench`, or `python -m benchmarks NAME`."""
