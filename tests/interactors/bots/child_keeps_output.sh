# It starts a child process that keeps its output open (for 20 s), and exits with code 0 after its first query.
read -r n
echo "? $n"
sleep 20 &
exit 0
