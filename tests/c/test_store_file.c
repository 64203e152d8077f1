/* SPDX-License-Identifier: Apache-2.0 */

/* The store in a file: it goes on after it was closed, has one user at a time,
 * and refuses files that others can read. */

#include "check.h"
#include <samara/memories/posix_file.h>
#include <stdlib.h>
#include <string.h>

static samara_store_counter counter;

static bool open_counter(samara_store_posix_file *file, const char *path) {
  if (!samara_store_posix_file_open(file, path, 240)) {
    return false;
  }
  counter.ring = (samara_store_ring){
      .memory = &file->memory, .size = 240, .step = 4, .id = 1};
  return true;
}

static uint64_t take(void) {
  uint64_t number = UINT64_MAX;
  (void)!samara_store_counter_take(&counter, &number);
  return number;
}

static void check_lives(const char *path) {
  samara_store_posix_file file, second;
  CHECK(open_counter(&file, path) &&
            samara_store_counter_open(&counter) == SAMARA_STORE_ERROR_BLANK &&
            samara_store_start(&counter.ring, 0, NULL) == SAMARA_STORE_OK &&
            samara_store_counter_open(&counter) == SAMARA_STORE_OK &&
            take() == 0,
        "a new file");
  for (uint64_t life = 1; life < 50; life++) {
    CHECK(!samara_store_posix_file_open(&second, path, 240) &&
              errno == EWOULDBLOCK,
          "one user at a time");
    samara_store_posix_file_close(&file);
    CHECK(open_counter(&file, path) &&
              samara_store_counter_open(&counter) == SAMARA_STORE_OK &&
              take() == 4 * life,
          "life %u goes on", (unsigned)life);
  }
  samara_store_posix_file_close(&file);
}

static void check_refused(const char *path, const char *link) {
  samara_store_posix_file file;
  CHECK(symlink(path, link) == 0 &&
            !samara_store_posix_file_open(&file, link, 240),
        "a symbolic link");
  (void)unlink(link);
  CHECK(chmod(path, 0640) == 0 &&
            !samara_store_posix_file_open(&file, path, 240) && errno == EACCES,
        "a file that others can read");
  CHECK(chmod(path, 0600) == 0 &&
            samara_store_posix_file_open(&file, path, 240),
        "the owner's again");
  struct stat found;
  CHECK(fstat(file.descriptor, &found) == 0 && found.st_size == 240,
        "its size");
  samara_store_posix_file_close(&file);
}

int main(void) {
  char folder[] = "/tmp/samara-store-XXXXXX";
  char path[64], link[64];
  CHECK(mkdtemp(folder) != NULL, "a directory");
  (void)strcat(strcpy(path, folder), "/counters");
  (void)strcat(strcpy(link, folder), "/link");
  check_lives(path);
  check_refused(path, link);
  (void)unlink(path);
  (void)rmdir(folder);
  return check_report();
}
