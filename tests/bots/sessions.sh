#!/bin/sh
# A bot that leaves three processes behind, each in a session of its own, and tells their numbers on stderr.
# A process is known when it has closed the stdout that it was started with.
read header
for _ in 1 2 3; do
    process=$(setsid sh -c 'echo $$; exec sleep 1000 >&-' &)
    echo "$process" >&2
done
exit 3
