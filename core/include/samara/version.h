/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_VERSION_H
#define SAMARA_VERSION_H

/* The version of this library, the one that CMakeLists.txt gives the project:
 * tests/c/test_version.c compares them. */

#define SAMARA_VERSION_MAJOR 0
#define SAMARA_VERSION_MINOR 2
#define SAMARA_VERSION_PATCH 0

/* "MAJOR.MINOR.PATCH" */
#define SAMARA_VERSION "0.2.0"

#endif
