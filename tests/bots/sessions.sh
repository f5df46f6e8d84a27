#!/bin/sh
# A bot that leaves three processes running, each in its own session, and prints their ids on stderr.
# $(...) returns when the process has closed the stdout that it was started with.
read header
for _ in 1 2 3; do
    process=$(setsid sh -c 'echo $$; exec sleep 1000 >&-' &)
    echo "$process" >&2
done
exit 3
