/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_STORE_POSIX_FILE_H
#define SAMARA_STORE_POSIX_FILE_H

/* A file as a memory of samara/store.h, on Linux, BSD and macOS: for gateways,
 * and for trying a device's program on a PC. Include it in one source file.
 *
 *   samara_store_posix_file file;
 *   if (!samara_store_posix_file_open(&file, "counters", 1024)) ...
 *   ring.memory = &file.memory;
 *
 * The owner alone can read the file. One process at a time has it: another
 * opening fails as long as it is open, also in the same process. The lock ends
 * with the process, so none is left behind by a crash. Not on a network file
 * system, whose locks and fsync may not hold.
 *
 * A file that is restored from a backup repeats nonces, as any memory that is
 * set back as a whole. */

#include <errno.h>
#include <fcntl.h>
#include <samara/store.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct samara_store_posix_file {
  samara_store_memory memory;
  int descriptor;
} samara_store_posix_file;

static inline bool samara_posix_file_read(void *context, uint32_t address,
                                          uint8_t *bytes, size_t size) {
  const samara_store_posix_file *self =
      (const samara_store_posix_file *)context;
  for (size_t done = 0; done < size;) {
    const ssize_t count = pread(self->descriptor, bytes + done, size - done,
                                (off_t)(address + done));
    if (count <= 0 && !(count < 0 && errno == EINTR)) {
      return false;
    }
    done += count > 0 ? (size_t)count : 0;
  }
  return true;
}

static inline bool samara_posix_file_write(void *context, uint32_t address,
                                           const uint8_t *bytes, size_t size) {
  const samara_store_posix_file *self =
      (const samara_store_posix_file *)context;
  for (size_t done = 0; done < size;) {
    const ssize_t count = pwrite(self->descriptor, bytes + done, size - done,
                                 (off_t)(address + done));
    if (count <= 0 && !(count < 0 && errno == EINTR)) {
      return false;
    }
    done += count > 0 ? (size_t)count : 0;
  }
  return fsync(self->descriptor) == 0;
}

static inline void
samara_store_posix_file_close(samara_store_posix_file *self) {
  if (self->descriptor >= 0) {
    (void)close(self->descriptor);
    self->descriptor = -1;
  }
}

/* Makes the name of the file durable, not its content alone. */
static inline bool samara_posix_file_keep_name(const char *path) {
  char folder[4096];
  size_t end = 0;
  for (size_t i = 0; path[i] != 0; i++) {
    if (i + 2 >= sizeof folder) {
      return false;
    }
    folder[i] = path[i];
    end = path[i] == '/' ? i + 1 : end;
  }
  if (end == 0) {
    folder[end++] = '.';
  }
  folder[end] = 0;
  const int descriptor = open(folder, O_RDONLY | O_CLOEXEC);
  const bool kept = descriptor >= 0 && fsync(descriptor) == 0;
  if (descriptor >= 0) {
    (void)close(descriptor);
  }
  return kept;
}

/* Whether the descriptor is that of a plain file of the owner's, which nobody
 * else has; it then has `size` bytes at least, new ones 0. */
static inline bool samara_posix_file_is_ready(int descriptor, uint32_t size) {
  struct stat found;
  return flock(descriptor, LOCK_EX | LOCK_NB) == 0 &&
         fstat(descriptor, &found) == 0 && S_ISREG(found.st_mode) &&
         (found.st_mode & (S_IRWXG | S_IRWXO)) == 0 &&
         (found.st_size >= (off_t)size ||
          (ftruncate(descriptor, (off_t)size) == 0)) &&
         fsync(descriptor) == 0;
}

/* Opens a file of `size` bytes, or makes it. False with the reason in errno, or
 * when others may read it (EACCES), it is no plain file, or it is in use
 * (EWOULDBLOCK). */
static inline bool samara_store_posix_file_open(samara_store_posix_file *self,
                                                const char *path,
                                                uint32_t size) {
  self->memory.read = samara_posix_file_read;
  self->memory.write = samara_posix_file_write;
  self->memory.erase = NULL;
  self->memory.context = self;
  self->memory.page_size = 0;
  self->memory.write_unit = 1;
  self->memory.erased_value = 0;
  self->descriptor =
      open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
  if (self->descriptor >= 0) {
    errno = EACCES;
    if (samara_posix_file_is_ready(self->descriptor, size) &&
        samara_posix_file_keep_name(path)) {
      return true;
    }
    const int reason = errno;
    samara_store_posix_file_close(self);
    errno = reason;
  }
  return false;
}

#ifdef __cplusplus
}
#endif

#endif
