read h; echo First; printf 'a\377b' >&2; printf '3 2\n5 1\n'; read x; read y; echo 6 1; read z
