# Correct, but it sleeps after the final answer.
read -r high
low=1
while q=$(((low + high) / 2)) && echo "? $q" && read -r reply; do
    case $reply in
    "<") high=$((q - 1)) ;;
    ">") low=$((q + 1)) ;;
    *) break ;;
    esac
done
echo "! $q"
sleep 50
