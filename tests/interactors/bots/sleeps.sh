# It sleeps before its first query.
read -r n
sleep 50
echo "? $n"
