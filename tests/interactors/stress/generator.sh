# Prints n and n values. From the seed 3 on one of the values is 1000000.

exec awk -v seed="$1" 'BEGIN {
    srand(seed)
    print 1000
    for (i = 0; i < 1000; i++)
        print (seed >= 3 && i == 500) ? 1000000 : 1 + int(999999 * rand())
}'
