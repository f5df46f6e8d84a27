read h; case $h in games*) exit 1;; esac; (echo $h; exec cat) | judge bot
