read h; case $h in *seat*) exit 1;; esac; (echo $h; exec cat) | judge bot
