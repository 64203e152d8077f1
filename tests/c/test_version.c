/* SPDX-License-Identifier: Apache-2.0 */

/* The version in the header is the project's, by number and as text. */

#include "check.h"
#include <samara/samara.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char numbers[32];
  snprintf(numbers, sizeof numbers, "%d.%d.%d", SAMARA_VERSION_MAJOR,
           SAMARA_VERSION_MINOR, SAMARA_VERSION_PATCH);
  CHECK(strcmp(numbers, PROJECT_VERSION) == 0,
        "samara/version.h has numbers %s, CMakeLists.txt has %s", numbers,
        PROJECT_VERSION);
  CHECK(strcmp(SAMARA_VERSION, PROJECT_VERSION) == 0,
        "samara/version.h has \"%s\", CMakeLists.txt has %s", SAMARA_VERSION,
        PROJECT_VERSION);
  return check_report();
}
