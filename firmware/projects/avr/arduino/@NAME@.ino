// SPDX-License-Identifier: Apache-2.0
//
// The program is in @ROLE@.c, which has a main() of its own instead of setup()
// and loop(): Arduino's timer would wake the board each millisecond.
#include <SamaraNode.h>
