echo 41; read x; printf "\033[1m\n"; read y; exit 1
