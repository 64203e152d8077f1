# SPDX-License-Identifier: Apache-2.0
"""EDHOC (RFC 9528): two ends agree on a key that later thefts do not betray.

Method 3 (both ends prove a static Diffie-Hellman key) and cipher suite 2 (P-256,
SHA-256, AES-CCM with tags of 8 bytes), with credentials by reference: messages of 37,
45 and 19 bytes. The protocol itself is the library lakers; the curve is that of
cryptography. Both belong to the extra "edhoc".
"""

MESSAGE_1_SIZE, MESSAGE_2_SIZE, MESSAGE_3_SIZE = 37, 45, 19
