# Accepts n and n values from 1 to 1000000, each on a line.

exec awk '
    !/^[1-9][0-9]*$/ { is_wrong = 1 }
    NR == 1 { n = $1; next }
    $1 > 1000000 { is_large = 1 }
    END {
        if (is_wrong || n != NR - 1) message = "expected n and n values, each on a line"
        else if (is_large) message = "expected values up to 1000000"
        if (message) print message > "/dev/stderr"
        exit message != ""
    }'
