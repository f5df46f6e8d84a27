# Its first query is 0. It exits with code 3 when it reads the -1.
read -r n
echo "? 0"
read -r reply
[ "$reply" = -1 ] && exit 3
