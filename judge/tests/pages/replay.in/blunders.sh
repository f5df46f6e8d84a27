read h; echo First; echo 1 1; read x; echo why >&2; echo 1 1; read x
