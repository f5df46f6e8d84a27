read x; echo $((x + 1)); printf end
