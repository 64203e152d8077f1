/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MSP430_INTTYPES_H
#define MSP430_INTTYPES_H

/* For sources of others that include this header for the types, or for formats
 * that they print with when they are not measured. */

#include <stdint.h>

#define PRIu16 "u"
#define PRIx16 "x"
#define PRIu32 "lu"
#define PRIx32 "lx"
#define PRIu64 "llu"
#define PRIx64 "llx"

#endif
