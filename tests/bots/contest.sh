#!/bin/sh
# A bot for the contest alone: it plays "N 1 2" with N even as First and by symmetry, and else "1 1 1".
# contest.sh [FAULT], where the fault is one of
#   talks         says "bye" when the game is over
#   fails         exits with code 3 when the game is over
#   returns       takes a header for malformed that ends with a carriage return
#   waits-before  goes on when its input ends before a header
#   waits-within  goes on when its input ends in the middle of a game
fault=$1
return=$(printf '\r')
if ! read -r n l r; then
    [ "$fault" = waits-before ] && exec sleep 100
    exit 0
fi
if [ "$fault" = returns ]; then
    case $r in 1 | 2) ;; *) exit 4 ;; esac
fi
echo First
case $n in 1) echo 1 1 ;; *) echo $((n / 2)) 2 ;; esac
while read -r x y; do
    y=${y%"$return"}
    case $x in
    0 | -1)
        [ "$fault" = talks ] && echo bye
        [ "$fault" = fails ] && exit 3
        exit 0
        ;;
    esac
    if [ "$x" -gt $((n / 2)) ]; then echo $((x - n / 2 - 1)) "$y"; else echo $((x + n / 2 + 1)) "$y"; fi
done
[ "$fault" = waits-within ] && exec sleep 100
exit 1
