// A bot that gets no processor in its first game, as on a very busy machine: it waits in the kernel, neither asleep
// nor computing. The file FIRST records that it has played. If FIRST is "always", each game is like the first. In later
// games, the bot wins rows in which First takes the only card.
//
// Usage: no_processor FIRST
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    if (argc != 2)
        return 2;
    int is_first = strcmp(argv[1], "always") == 0 || open(argv[1], O_CREAT | O_EXCL, 0600) >= 0;
    if (is_first && vfork() == 0) {
        // The parent does not run until this process ends.
        pause();
        _exit(0);
    }
    char line[100];
    while (fgets(line, sizeof line, stdin) && strcmp(line, "0 0\n") != 0) {
        printf("First\n1 1\n");
        fflush(stdout);
    }
    return 0;
}
