#!/bin/sh
# A bot that prints how it was started: its command line, and which of the first 32 signals are blocked and ignored.
# The higher signals belong to the C library or have no name.
tr '\0' ' ' </proc/$$/cmdline
exec sed -En 's/^Sig(Blk|Ign):.*(.{8})$/\1 \2/p' /proc/self/status
