/* SPDX-License-Identifier: Apache-2.0 */
#define UNIT_SIZE @UNIT_SIZE@ /* bytes of the longest unit on the wire */
