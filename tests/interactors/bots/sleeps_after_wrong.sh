# Its first query is 0. It sleeps after the -1 that follows.
read -r n
echo "? 0"
read -r reply
sleep 50
