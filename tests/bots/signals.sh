#!/bin/sh
# A bot that prints how it was started: its words, and the signals that are blocked and ignored.
# Those above the thirty-second are the C library's own or of no name.
tr '\0' ' ' </proc/$$/cmdline
exec sed -En 's/^Sig(Blk|Ign):.*(.{8})$/\1 \2/p' /proc/self/status
