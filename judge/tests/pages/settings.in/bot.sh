read h; echo First; for move in '3 2' '5 1' '6 1'; do echo $move; read x; done
