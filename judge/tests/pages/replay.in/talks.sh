read x; echo x=$x >&2; echo $((x + 1)); read y; printf end
