# An interactor in the style icpc: "sh interactor.sh INPUT ANSWER FOLDER".
read number < "$1"
echo 10
read guess
[ "$guess" = "$number" ] && exit 42
echo "the number is $number, not $guess" >&2
exit 43
