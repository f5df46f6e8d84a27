read h; set -- $h; case $1 in *[!0-9]*) exit 1;; esac; if [ $1 -ge 13 ]; then echo third; read x; exit; fi; { echo "$h"; cat; } | judge bot
