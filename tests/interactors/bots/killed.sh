# It kills itself after its first query.
read -r n
echo "? $n"
read -r reply
kill -9 $$
