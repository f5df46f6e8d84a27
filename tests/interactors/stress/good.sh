# A correct bot.

read -r n
head -n "$n" | sort -n | tail -n 1
