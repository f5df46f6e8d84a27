read h; echo First; echo 1 1; read x; [ "$x" = '0 0' ] || echo 1 1; read x
