/* SPDX-License-Identifier: Apache-2.0 */
/* Goes in front of each C source: names the processor, as the makefiles of
 * FELICS do. Without MSP, C takes the place of the assembly. */
#ifdef __MSP430__
#define MSP
#endif
