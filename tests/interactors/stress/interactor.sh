# Largest value, style icpc: interactor.sh INPUT. It sends n and n values, each on a line, and expects the largest one. It
# accepts with 42 and rejects with 43. It fails if the input is invalid.

if ! awk 'NR == 1 { n = $1 } !/^[0-9]+$/ { is_wrong = 1 } END { exit is_wrong || n < 1 || n != NR - 1 }' "$1"; then
    echo "invalid input" >&2
    exit 1
fi
cat "$1"
read -r answer
if [ "$answer" = "$(tail -n +2 "$1" | sort -n | tail -n 1)" ]; then
    exit 42
fi
echo "wrong: $answer" >&2
exit 43
