# Does not flush its first line, and prints an error when it reads "-1 -1", before the line. If its input ended too, it would
# print the line only after the end of its input.
read -r header
read -r end
echo error >&2
timeout 0.02 cat >/dev/null
echo First
