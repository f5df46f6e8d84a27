# Reads the bot's only line, the bot's process ID, and answers after the bot has ended.
read -r bot
while kill -0 "$bot" 2>/dev/null; do :; done
echo too late
exit 1
