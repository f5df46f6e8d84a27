# Loses values of more than six digits.

read -r n
head -n "$n" | awk '$1 < 1000000 && $1 > max { max = $1 } END { print max + 0 }'
