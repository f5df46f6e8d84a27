# Prints only errors, and too many of them.
head -c 300000 /dev/zero >&2
echo the end >&2
