#!/bin/sh
# Leaves a process behind that holds its input open.
read -r word
echo "$word"
sleep 5 <&0 &
