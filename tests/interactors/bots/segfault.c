// It follows a null pointer after the first reply.

#include <stdio.h>

int main(void) {
    int n;
    volatile int *volatile numbers = NULL;
    char reply;
    if (scanf("%d", &n) == 1) {
        printf("? %d\n", n);
        fflush(stdout);
        if (scanf(" %c", &reply) == 1) {
            numbers[0] = reply;
        }
    }
    return 0;
}
