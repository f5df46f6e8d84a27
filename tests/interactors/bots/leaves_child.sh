# Correct for inputs/1.in, but it leaves a child process that keeps its output open (for 20 s).
read -r n
echo "? $n"
read -r reply
echo "! $n"
sleep 20 &
exit 0
