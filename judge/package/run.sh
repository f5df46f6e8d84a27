#!/bin/sh
# Called with INPUT ANSWER FEEDBACK_DIR and the validator's flags, if there are any.
exec "$(dirname "$0")/judge" interact --style kattis "$@"
