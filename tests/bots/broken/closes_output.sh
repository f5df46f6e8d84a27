# Closes its output, and then waits.
read -r header
exec 1>&-
exec sleep 100
