// A bot that gets no processor in its first game, as on a very busy machine: it waits in the kernel, neither asleep
// nor computing. The file FIRST remembers that it has played. With "always" in place of it every game is like that.
// Then it wins rows in which First takes the only card.
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
        // Until this process ends, its parent does not run.
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
