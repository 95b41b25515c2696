#!/bin/sh
# The errors of sampled metrics, on simulated recordings.
exec python3 -B "$TESTDIR/errors.py"
