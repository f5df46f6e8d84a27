read h; set -- $h; c=$(cat count); echo $((c + 1)) > count; [ $((c % 3)) = 2 ] && exit 3; { echo "$h"; cat; } | judge bot
