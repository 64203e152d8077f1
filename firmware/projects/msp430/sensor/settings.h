/* SPDX-License-Identifier: Apache-2.0 */
#define SLEEPS @SLEEPS@ /* half seconds between messages */
#define STEP 16 /* messages in one record of the memory */
#define UNIT_SIZE @UNIT_SIZE@ /* bytes of the longest unit on the wire */
