read h; echo Second; read x; echo 0 0; read x
