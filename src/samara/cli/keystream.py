# SPDX-License-Identifier: Apache-2.0
"""Print keystream of a suite, as hex digits or as bytes.

With --bytes, the keystream of each nonce is cut off after 16,384 bytes, and that
of the next nonce follows, a number one higher, most significant byte first: calls
for many nonces are the fastest. A suite in counter mode takes its first counter
block for a nonce, and has one keystream without an end.

With --bits, Grain-128PLE prints the keystream of one nonce. It packs bits into
bytes beginning with the least significant bit; unused bits of the last byte are
zero.

--raw is for tests of randomness and other programs. The command ends when its
reader leaves.

\b
Examples:
  samara keystream grain128ple --key @key --nonce 000000000000000000000001 \\
    --bits 64
  samara keystream aes128-ctr --key @key \\
    --nonce 00000000000000000000000000000000 --bytes 1000000 --raw | ent
"""

import sys
from typing import Annotated

import typer

from samara.cli.shared import files
from samara.cli.shared.answering import takes_request
from samara.cli.shared.byte_answers import bytes_of
from samara.crypto.keystream_bytes import KeystreamRequest, keystream


def _keystream(
    request: KeystreamRequest,
    *,
    raw: Annotated[
        bool, typer.Option("--raw", help="Write bytes. Default: hex digits.")
    ] = False,
) -> None:
    if raw:
        files.refuse_screen(files.STANDARD_STREAM)
    pieces = bytes_of(keystream(request))
    if raw:
        sys.stdout.buffer.writelines(pieces)
        return
    for piece in pieces:
        print(piece.hex(), end="")
    print()


command = takes_request(_keystream)
