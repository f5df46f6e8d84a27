# An interactor whose exit code 0 accepts.
echo 1 2
read sum
[ "$sum" = 3 ]
