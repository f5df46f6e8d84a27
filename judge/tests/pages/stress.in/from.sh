read h; n=$1; set -- $h
[ "$1" -ge "$n" ] && { echo third; exit; }
{ echo "$h"; cat; } | judge bot
