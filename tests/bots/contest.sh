#!/bin/sh
# A bot for contest games only: it plays a row by symmetry, as First from the middle or as Second.
# contest.sh [FAULT], where the fault is one of
#   talks         prints "bye" when the game is over
#   fails         exits with code 3 when the game is over
#   returns       refuses a header that ends with a carriage return
#   waits-before  keeps running when its input ends before a header
#   waits-within  keeps running when its input ends in the middle of a game
#   small         refuses a header whose row has more than 100 cards
fault=$1
return=$(printf '\r')
if ! read -r n l r; then
    [ "$fault" = waits-before ] && exec sleep 100
    exit 0
fi
if [ "$fault" = returns ]; then
    case $r in *"$return") exit 4 ;; esac
fi
r=${r%"$return"}
if [ "$fault" = small ] && [ "$n" -gt 100 ]; then exit 5; fi
y=$r
[ $(((n - y) % 2)) -eq 1 ] && y=$((y - 1))
if [ "$y" -lt "$l" ]; then
    echo Second
else
    echo First
    echo $(((n - y) / 2 + 1)) "$y"
fi
while read -r x y; do
    y=${y%"$return"}
    case $x in
    0 | -1)
        [ "$fault" = talks ] && echo bye
        [ "$fault" = fails ] && exit 3
        exit 0
        ;;
    esac
    echo $((n - x - y + 2)) "$y"
done
[ "$fault" = waits-within ] && exec sleep 100
exit 1
