read h; case $h in *first) echo First; echo 1 1;; *) echo Second;; esac; read x; echo $x; read x
