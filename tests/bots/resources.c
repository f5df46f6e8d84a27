/* Bots that use many resources, some of which try to hide it. Then they win 6 1 2 against --opponent slow.
 *
 * Usage: resources WAY. Each way limits itself to a few seconds, 200 processes and about 1 GiB. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

static void compute(double cpu) {
    double end = seconds(CLOCK_PROCESS_CPUTIME_ID) + cpu;
    while (seconds(CLOCK_PROCESS_CPUTIME_ID) < end) {
    }
}

static void pause_for(double time) {
    double end = seconds(CLOCK_MONOTONIC) + time;
    while (seconds(CLOCK_MONOTONIC) < end)
        usleep(10000);
}

static char *hold(size_t mib) {
    char *memory = mmap(NULL, mib << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        exit(3);
    memset(memory, 1, mib << 20);
    return memory;
}

/* Forks a child that is killed when its parent ends. */
static int start(void) {
    int child = fork();
    if (child == 0)
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    return child;
}

static void answer(const char *line) {
    char ignored[256];
    puts(line);
    fflush(stdout);
    if (!fgets(ignored, sizeof ignored, stdin))
        exit(0);
}

static void win(void) {
    answer("First\n3 2");
    answer("5 1");
    answer("6 1");
    exit(0);
}

/* Computes in children. The kernel adds their CPU time to no process, because their parent ignores SIGCHLD. */
static void burn_in_children(double each, int children) {
    signal(SIGCHLD, SIG_IGN);
    for (int child = 0; child < children; child++) {
        if (start() == 0) {
            compute(each);
            _exit(0);
        }
        while (wait(NULL) > 0) {
        }
    }
    win();
}

static void *play_with_memory(void *none) {
    hold(200);
    pause_for(0.3);
    win();
    return none;
}

/* Ends the first thread of the process, so that the process looks like a process that has ended. */
static void lose_the_leader(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, play_with_memory, NULL);
    pthread_exit(NULL);
}

/* Starts children that share much memory, which makes measuring the memory slow. */
static void share(int children, size_t mib) {
    hold(mib);
    for (int child = 0; child < children; child++)
        if (start() == 0) {
            pause();
            _exit(0);
        }
}

/* Starts children that share much memory and later write to it at the same time, each to its own copy. */
static void copy(int children, size_t mib, size_t each) {
    int begin[2], done[2];
    char *memory = hold(mib), ignored;
    if (pipe(begin) || pipe(done))
        exit(3);
    for (int child = 0; child < children; child++)
        if (start() == 0) {
            close(begin[1]);
            if (read(begin[0], &ignored, 1) == 0)
                memset(memory, 2, each << 20);
            close(done[1]);
            pause_for(5);
            _exit(0);
        }
    pause_for(0.5);
    close(begin[1]);
    close(done[1]);
    /* Wait until the last child has written, then give a judge that measures periodically time for a measurement. */
    if (read(done[0], &ignored, 1) != 0)
        exit(3);
    pause_for(0.5);
}

/* Reads one byte for each page table of memory that was never written. All of this memory is the kernel's one page of
 * zeros, but the page tables take memory. */
static void fill_page_tables(size_t mib) {
    size_t page = sysconf(_SC_PAGESIZE), span = page / 8 * page, size = (mib << 20) / page * span;
    volatile char *memory = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        exit(3);
    for (size_t at = 0; at < size; at += span)
        (void)memory[at];
    pause_for(0.3);
}

/* Starts children that other processes of the user cannot read, and so cannot tell which memory they share. */
static void hide(void) {
    int full[2];
    if (pipe(full) != 0)
        exit(3);
    prctl(PR_SET_DUMPABLE, 0);
    for (int child = 0; child < 5; child++)
        if (start() == 0) {
            hold(60);
            if (write(full[1], "x", 1) != 1)
                _exit(3);
            pause_for(3);
            _exit(0);
        }
    close(full[1]);
    /* If a child is killed, its end of the pipe is closed too. */
    char byte;
    for (int child = 0; child < 5 && read(full[0], &byte, 1) == 1; child++) {
    }
    pause_for(0.5);
}

static void start_many(int children) {
    for (int child = 0; child < children; child++)
        if (start() == 0) {
            pause_for(3);
            _exit(0);
        }
    pause_for(0.1);
}

/* Leaves children that have ended but are not waited for. They still take places in the process table. */
static void leave_zombies(int children) {
    for (int child = 0; child < children; child++)
        if (start() == 0)
            _exit(0);
    pause_for(0.1);
}

/* Leaves its control groups, if it is root and outside of the sandbox. */
static void leave_the_group(void) {
    const char *groups[] = {"memory/", "pids/", "cpuacct/", "unified/", ""};
    char path[64];
    for (int group = 0; group < 5; group++) {
        snprintf(path, sizeof path, "/sys/fs/cgroup/%scgroup.procs", groups[group]);
        int file = open(path, O_WRONLY);
        if (file >= 0 && write(file, "0", 1) != 1)
            perror(path);
    }
    hold(200);
    pause_for(0.3);
}

int main(int count, char **words) {
    char header[256];
    const char *way = count > 1 ? words[1] : "";
    if (!fgets(header, sizeof header, stdin))
        return 0;
    if (!strcmp(way, "burn-long"))
        burn_in_children(0.2, 8);
    else if (!strcmp(way, "burn-short"))
        burn_in_children(0.005, 400);
    else if (!strcmp(way, "leaderless"))
        lose_the_leader();
    else if (!strcmp(way, "share")) {
        share(40, 80);
        compute(0.6);
    } else if (!strcmp(way, "share-in-peace"))
        share(20, 60);
    else if (!strcmp(way, "copy"))
        copy(40, 80, 10);
    else if (!strcmp(way, "hide"))
        hide();
    else if (!strcmp(way, "many"))
        start_many(150);
    else if (!strcmp(way, "zombies"))
        leave_zombies(150);
    else if (!strcmp(way, "few"))
        start_many(20);
    else if (!strcmp(way, "leave"))
        leave_the_group();
    else if (!strcmp(way, "hoard"))
        hold(200);
    else if (!strcmp(way, "page-tables"))
        fill_page_tables(128);
    else
        return 4;
    win();
}
