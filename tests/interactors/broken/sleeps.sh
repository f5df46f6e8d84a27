# It reads a query and sleeps.
read -r n x <"$1"
echo "$n"
read -r query
sleep 50
exit 43
