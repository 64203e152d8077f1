/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_BLOCK_SIMON_SEQUENCES_H
#define SAMARA_BLOCK_SIMON_SEQUENCES_H

/* The constant sequences of Simon's key schedule (paper, section 3.3): periods
 * of 62 bits, bit i of a number being z_j[i]. */
#define SAMARA_SIMON_Z0 0x19c3522fb386a45f
#define SAMARA_SIMON_Z1 0x16864fb8ad0c9f71
#define SAMARA_SIMON_Z2 0x3369f885192c0ef5
#define SAMARA_SIMON_Z3 0x3c2ce51207a635db
#define SAMARA_SIMON_Z4 0x3dc94c3a046d678b

#endif
