#!/bin/sh
# A bot that prints its moves of 2000 1 1 far ahead of their turn, each in a line of about 4000 bytes:
# early_moves.sh STARTED GO TOKEN. It opens the pipe STARTED when it has started, and plays when GO is closed.
read header
: >"$1"
read go <"$2"
echo First
seq 2000 -1 1 | sed "s/^/$(printf %04000d 0)/; s/$/ 1/"
read line
