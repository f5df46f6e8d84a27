// The output is not flushed: "\n" flushes only on a terminal.

#include <stdio.h>
#include <unistd.h>

int main(void) {
    int low = 1, high, q;
    char reply;
    alarm(50); // ends the bot if nobody else does
    scanf("%d", &high);
    do {
        q = (low + high) / 2;
        printf("? %d\n", q);
        if (scanf(" %c", &reply) != 1) {
            return 0;
        }
        if (reply == '<') {
            high = q - 1;
        } else {
            low = q + 1;
        }
    } while (reply != '=');
    printf("! %d\n", q);
    return 0;
}
