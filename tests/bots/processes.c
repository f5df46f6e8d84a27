/* Bots that use processes and threads in ways that a shell or Python is too slow for, or cannot do.
 *
 * Usage: processes WAY ... TOKEN; main describes the ways. A chain of processes runs for at most LONGEST seconds, and
 * pauses while its warden has more than MOST children; it is slow if the warden is gone. TOKEN identifies the processes
 * of one game. */

#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <time.h>
#include <unistd.h>

static const int LONGEST = 20, MOST = 150;
static pid_t warden;

static time_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec;
}

/* Returns the number of the warden's children, including zombies. */
static int children(void) {
    char path[64];
    int child, count = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", warden, warden);
    FILE *list = fopen(path, "r");
    if (!list) {
        /* Otherwise the numbers for processes could run out before the judge has ended the chain. */
        usleep(20000);
        return 0;
    }
    while (fscanf(list, "%d", &child) == 1)
        count++;
    fclose(list);
    return count;
}

/* Starts a successor and exits, `generations` times. With `leave`, each successor leaves the session. Keeps computing
 * while no successor can be started or the warden has too many children. Prints an error if no successor could be
 * started in all that time. */
static void chain(long generations, int leave) {
    time_t end = now() + LONGEST;
    for (; generations > 0 && now() < end; generations--) {
        while (generations % 16 == 0 && children() > MOST && now() < end)
            sched_yield();
        pid_t successor = fork();
        while (successor < 0 && now() < end) {
            sched_yield();
            successor = fork();
        }
        if (successor > 0)
            _exit(0);
        if (successor < 0)
            perror("processes: no successor can be started");
        if (successor == 0 && leave)
            setsid();
    }
}

static void *become_sleep(void *argument) {
    char *const *command = argument;
    execvp(command[0], command);
    return NULL;
}

static void *be_traced(void *traced) {
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    pthread_barrier_wait(traced);
    pause();
    return NULL;
}

int main(int count, char **arguments) {
    char line[256];
    warden = getppid();
    if (count < 2)
        return 1;
    if (!strcmp(arguments[1], "chains") && count > 5) {
        /* CHAINS GENERATIONS leave|stay: starts chains, and waits forever. */
        for (int chains = atoi(arguments[2]); chains > 0; chains--) {
            pid_t first = fork();
            if (first < 0)
                return 1;
            if (first == 0) {
                chain(atol(arguments[3]), !strcmp(arguments[4], "leave"));
                _exit(0);
            }
        }
        fputs("started\n", stderr);
        for (;;)
            pause();
    }
    if (!strcmp(arguments[1], "zombies")) {
        /* Leaves a hundred orphans, and then waits for the warden to reap them. */
        int ends[2];
        if (pipe(ends))
            return 1;
        if (fork() == 0) {
            close(ends[0]);
            chain(100, 0);
            _exit(0);
        }
        close(ends[1]);
        if (read(ends[0], line, 1) != 0)
            return 1;
        time_t end = now() + LONGEST / 4;
        while (children() > 1 && now() < end)
            usleep(1000);
        fprintf(stderr, "zombies: %d\n", children() - 1);
        return 7;
    }
    if (!strcmp(arguments[1], "exec")) {
        /* A thread other than the first executes the program that the other arguments name. */
        pthread_t thread;
        pthread_create(&thread, NULL, become_sleep, arguments + 2);
        for (;;)
            pause();
    }
    if (!strcmp(arguments[1], "traced")) {
        /* Wins 6 1 2 against the slow opponent, and exits with code 7 while the warden traces one of its threads. */
        pthread_barrier_t traced;
        pthread_t thread;
        pthread_barrier_init(&traced, NULL, 2);
        pthread_create(&thread, NULL, be_traced, &traced);
        pthread_barrier_wait(&traced);
        const char *lines[] = {"First\n3 2\n", "5 1\n", "6 1\n"};
        for (int next = 0; next < 3; next++) {
            if (!fgets(line, sizeof line, stdin))
                return 1;
            fputs(lines[next], stdout);
            fflush(stdout);
        }
        return fgets(line, sizeof line, stdin) ? 7 : 1;
    }
    return 1;
}
