/* A disk that tells what was written to it, and fails to order. Loaded by LD_PRELOAD into the bot.

   What the process does to files below $DISK_FOLDER goes to the real files, which the process reads, and
   as a record to $DISK_JOURNAL. From the journal tests/powerloss/model.py makes what a disk would hold
   after a power loss at any record. Nothing is really synced while there is a journal: it decides.

   $DISK_CUT, such as "7 before" or "7 after": SIGKILL at the seventh sync, before or after it counts.
   $DISK_ORDERS names a file whose words are obeyed while they stand there:
     full        what makes a file longer, or a new one, fails by ENOSPC
     broken      writing and syncing fail by EIO
     unsynced    syncing fails by EIO
     readonly    writing, and opening to write, fail by EROFS
     slow 2000   each sync takes so many milliseconds

   A record is { magic, kind, file, at, length } and `length` bytes. An operation and its record are one
   step under a lock. Shared memory that is mapped (SQLite's index of its log) is not recorded: it is
   made anew after a power loss. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { MADE = 1, WRITTEN, CUT_TO, SYNCED, FOLDER_SYNCED, REMOVED, RENAMED, FOLDER_MADE };
#define MAGIC 0x6b736964u
#define MOST_FILES 4096

struct record {
    uint32_t magic, kind;
    uint64_t file, at, length;
};

static struct {
    int watched, folder;
    uint64_t file;
    char name[256]; /* below the folder; only of folders */
} seen[MOST_FILES];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char root[PATH_MAX];
static size_t root_length;
static int journal = -1, orders = -1, owner, syncs, cut_at, cut_after;


static void fatal(const char *what) {
    dprintf(2, "disk.c: %s\n", what);
    _exit(99);
}

__attribute__((constructor)) static void begin(void) {
    const char *folder = getenv("DISK_FOLDER"), *name;
    owner = (int)syscall(SYS_getpid);
    if (!folder) return;
    if (!realpath(folder, root)) fatal("DISK_FOLDER is no folder");
    root_length = strlen(root);
    if ((name = getenv("DISK_JOURNAL")))
        if ((journal = (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600)) < 0)
            fatal("DISK_JOURNAL cannot be opened");
    if ((name = getenv("DISK_ORDERS")))
        if ((orders = (int)syscall(SYS_openat, AT_FDCWD, name, O_RDONLY | O_CLOEXEC)) < 0)
            fatal("DISK_ORDERS cannot be opened");
    if ((name = getenv("DISK_CUT"))) {
        cut_at = atoi(name);
        cut_after = strstr(name, "after") != NULL;
    }
}

/* A child between fork and exec shares our tables and must leave them alone. */
static int ours(void) { return root_length && (int)syscall(SYS_getpid) == owner; }

static void record(uint32_t kind, uint64_t file, uint64_t at, const void *bytes, uint64_t length) {
    struct record head = {MAGIC, kind, file, at, length};
    struct iovec parts[2] = {{&head, sizeof head}, {(void *)bytes, length}};
    if (journal < 0) return;
    if (syscall(SYS_writev, journal, parts, 2) != (long)(sizeof head + length)) fatal("the journal is torn");
}

/* The path below the folder, or NULL. */
static const char *below(int at, const char *path, char *room) {
    if (!path) return NULL;
    if (path[0] == '/') {
        snprintf(room, PATH_MAX, "%s", path);
    } else {
        if (at != AT_FDCWD) return NULL;
        char here[PATH_MAX];
        if (!getcwd(here, sizeof here)) return NULL;
        if (snprintf(room, PATH_MAX, "%s/%s", here, path) >= PATH_MAX) return NULL;
    }
    if (strncmp(room, root, root_length)) return NULL;
    if (room[root_length] == 0) return room + root_length;
    return room[root_length] == '/' ? room + root_length + 1 : NULL;
}

static int ordered(const char *word, long *number) {
    char said[64];
    long length = orders < 0 ? 0 : syscall(SYS_pread64, orders, said, sizeof said - 1, (off_t)0);
    if (length <= 0) return 0;
    said[length] = 0;
    size_t letters = strlen(word);
    if (strncmp(said, word, letters) || (said[letters] && said[letters] != ' ' && said[letters] != '\n')) return 0;
    if (number) *number = atol(said + letters);
    return 1;
}

static int watched(int fd) { return fd >= 0 && fd < MOST_FILES && seen[fd].watched && ours(); }

/* Why writing so far fails, or 0. */
static int refused(int fd, off_t end) {
    struct stat now;
    if (ordered("broken", NULL)) return EIO;
    if (ordered("readonly", NULL)) return EROFS;
    if (ordered("full", NULL) && !fstat(fd, &now) && end > now.st_size) return ENOSPC;
    return 0;
}

static int opened(int at, const char *path, int flags, mode_t mode) {
    char room[PATH_MAX];
    const char *name = ours() ? below(at, path, room) : NULL;
    if (!name) return (int)syscall(SYS_openat, at, path, flags, mode);
    int writes = (flags & O_ACCMODE) != O_RDONLY, missing;
    struct stat found;
    pthread_mutex_lock(&lock);
    missing = lstat(room, &found) != 0;
    if ((writes || ((flags & O_CREAT) && missing)) && ordered("readonly", NULL)) {
        pthread_mutex_unlock(&lock);
        errno = EROFS;
        return -1;
    }
    if ((flags & O_CREAT) && missing && ordered("full", NULL)) {
        pthread_mutex_unlock(&lock);
        errno = ENOSPC;
        return -1;
    }
    int fd = (int)syscall(SYS_openat, at, path, flags, mode), before = errno;
    if (fd >= MOST_FILES) fatal("too many open files");
    if (fd >= 0 && !fstat(fd, &found)) {
        seen[fd].folder = S_ISDIR(found.st_mode);
        seen[fd].file = found.st_ino;
        snprintf(seen[fd].name, sizeof seen[fd].name, "%s", name);
        if (missing) record(MADE, found.st_ino, 0, name, strlen(name));
        else if ((flags & O_TRUNC) && writes) record(CUT_TO, found.st_ino, 0, NULL, 0);
        seen[fd].watched = 1;
    }
    pthread_mutex_unlock(&lock);
    errno = before;
    return fd;
}

#define MODE(flags)                                            \
    mode_t mode = 0;                                           \
    if ((flags) & (O_CREAT | __O_TMPFILE)) {                   \
        va_list rest;                                          \
        va_start(rest, flags);                                 \
        mode = va_arg(rest, mode_t);                           \
        va_end(rest);                                          \
    }

int open(const char *path, int flags, ...) { MODE(flags) return opened(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return opened(AT_FDCWD, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE(flags) return opened(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE(flags) return opened(at, path, flags, mode); }
int __open_2(const char *path, int flags) { return opened(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return opened(AT_FDCWD, path, flags, 0); }

int close(int fd) {
    if (watched(fd)) seen[fd].watched = 0;
    return (int)syscall(SYS_close, fd);
}

static ssize_t put(int fd, const struct iovec *parts, int count, off_t at) {
    size_t length = 0;
    for (int i = 0; i < count; i++) length += parts[i].iov_len;
    char *bytes = malloc(length ? length : 1), *to = bytes;
    if (!bytes) { errno = ENOMEM; return -1; }
    for (int i = 0; i < count; to += parts[i++].iov_len) memcpy(to, parts[i].iov_base, parts[i].iov_len);
    pthread_mutex_lock(&lock);
    int moves = at < 0;
    if (moves) at = (fcntl(fd, F_GETFL) & O_APPEND) ? lseek(fd, 0, SEEK_END) : lseek(fd, 0, SEEK_CUR);
    ssize_t done = -1;
    int why = refused(fd, at + (off_t)length);
    if (!why) {
        done = moves ? syscall(SYS_write, fd, bytes, length) : syscall(SYS_pwrite64, fd, bytes, length, at);
        why = errno;
        if (done > 0) record(WRITTEN, seen[fd].file, (uint64_t)at, bytes, (uint64_t)done);
    }
    pthread_mutex_unlock(&lock);
    free(bytes);
    errno = why;
    return done;
}

ssize_t write(int fd, const void *bytes, size_t length) {
    if (!watched(fd)) return syscall(SYS_write, fd, bytes, length);
    struct iovec one = {(void *)bytes, length};
    return put(fd, &one, 1, -1);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t at) {
    if (!watched(fd)) return syscall(SYS_pwrite64, fd, bytes, length, at);
    struct iovec one = {(void *)bytes, length};
    return put(fd, &one, 1, at);
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at) { return pwrite64(fd, bytes, length, at); }

ssize_t writev(int fd, const struct iovec *parts, int count) {
    if (!watched(fd)) return syscall(SYS_writev, fd, parts, count);
    return put(fd, parts, count, -1);
}

int ftruncate64(int fd, off64_t size) {
    if (!watched(fd)) return (int)syscall(SYS_ftruncate, fd, size);
    pthread_mutex_lock(&lock);
    int why = refused(fd, size), done = -1;
    if (!why) {
        done = (int)syscall(SYS_ftruncate, fd, size);
        why = errno;
        if (!done) record(CUT_TO, seen[fd].file, (uint64_t)size, NULL, 0);
    }
    pthread_mutex_unlock(&lock);
    errno = why;
    return done;
}

int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

static void nap(long milliseconds) {
    struct timespec left = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    while (nanosleep(&left, &left) && errno == EINTR) {}
}

static int synced(int fd, long number) {
    if (!watched(fd)) return (int)syscall(number, fd);
    long slow = 0;
    if (ordered("slow", &slow)) nap(slow);
    if (ordered("broken", NULL) || ordered("unsynced", NULL)) { errno = EIO; return -1; }
    pthread_mutex_lock(&lock);
    int number_of_it = ++syncs;
    if (cut_at && number_of_it == cut_at && !cut_after) kill(owner, SIGKILL);
    if (seen[fd].folder) record(FOLDER_SYNCED, seen[fd].file, 0, seen[fd].name, strlen(seen[fd].name));
    else record(SYNCED, seen[fd].file, 0, NULL, 0);
    if (cut_at && number_of_it == cut_at && cut_after) kill(owner, SIGKILL);
    pthread_mutex_unlock(&lock);
    return journal < 0 ? (int)syscall(number, fd) : 0;
}

int fsync(int fd) { return synced(fd, SYS_fsync); }
int fdatasync(int fd) { return synced(fd, SYS_fdatasync); }

static int removed(int at, const char *path, int flags) {
    char room[PATH_MAX];
    const char *name = ours() ? below(at, path, room) : NULL;
    if (!name) return (int)syscall(SYS_unlinkat, at, path, flags);
    if (ordered("readonly", NULL)) { errno = EROFS; return -1; }
    pthread_mutex_lock(&lock);
    int done = (int)syscall(SYS_unlinkat, at, path, flags), why = errno;
    if (!done) record(REMOVED, 0, 0, name, strlen(name));
    pthread_mutex_unlock(&lock);
    errno = why;
    return done;
}

int unlink(const char *path) { return removed(AT_FDCWD, path, 0); }
int unlinkat(int at, const char *path, int flags) { return removed(at, path, flags); }

static int renamed(int from_at, const char *from, int to_at, const char *to) {
    char room[PATH_MAX], other[PATH_MAX], both[2 * PATH_MAX + 1];
    const char *was = ours() ? below(from_at, from, room) : NULL, *is = ours() ? below(to_at, to, other) : NULL;
    if (!was && !is) return (int)syscall(SYS_renameat, from_at, from, to_at, to);
    if (!was || !is) fatal("a file is renamed across the edge of the disk");
    if (ordered("readonly", NULL)) { errno = EROFS; return -1; }
    pthread_mutex_lock(&lock);
    int done = (int)syscall(SYS_renameat, from_at, from, to_at, to), why = errno;
    int length = snprintf(both, sizeof both, "%s\n%s", was, is);
    if (!done) record(RENAMED, 0, 0, both, (uint64_t)length);
    pthread_mutex_unlock(&lock);
    errno = why;
    return done;
}

int rename(const char *from, const char *to) { return renamed(AT_FDCWD, from, AT_FDCWD, to); }
int renameat(int from_at, const char *from, int to_at, const char *to) { return renamed(from_at, from, to_at, to); }

static int folder_made(int at, const char *path, mode_t mode) {
    char room[PATH_MAX];
    const char *name = ours() ? below(at, path, room) : NULL;
    if (!name) return (int)syscall(SYS_mkdirat, at, path, mode);
    if (ordered("readonly", NULL)) { errno = EROFS; return -1; }
    pthread_mutex_lock(&lock);
    int done = (int)syscall(SYS_mkdirat, at, path, mode), why = errno;
    if (!done) record(FOLDER_MADE, 0, 0, name, strlen(name));
    pthread_mutex_unlock(&lock);
    errno = why;
    return done;
}

int mkdir(const char *path, mode_t mode) { return folder_made(AT_FDCWD, path, mode); }
int mkdirat(int at, const char *path, mode_t mode) { return folder_made(at, path, mode); }
