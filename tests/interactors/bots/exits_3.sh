# It exits with code 3 at its third query.
read -r n
echo "? $n"
read -r reply
echo "? 1"
read -r reply
exit 3
