# SPDX-License-Identifier: Apache-2.0
"""Encrypt and authenticate a file or a message.

Without --nonce, the output is a file with a header: a key of its own, derived from
the key and a random number, seals it in chunks. It takes input of any size in
little memory; docs/sealed-files.md defines the format. The suite must authenticate.

With --nonce, the output is the ciphertext followed by the tag, as a device sends
it. Suites without a tag encrypt only. A suite that streams takes input of any
size. The other suites hold the message in memory; it may have up to 256 MiB, and
less where the suite has a lower limit.

\b
Examples:
  samara seal aes128-gcm --key @key -i backup.tar -o backup.sealed
  samara seal aes128-ccm-8 --key @key --nonce random -i reading -o sealed
  samara seal grain128aead --key @key --nonce 000000000000000000000001 \\
    --ad 0007 <reading >sealed.grain
"""

from functools import partial

from samara.cli.shared import files
from samara.cli.shared.answering import takes_request
from samara.cli.shared.byte_answers import Input, Output, convert
from samara.crypto.sealing import SealRequest, seal


def _seal(
    request: SealRequest,
    *,
    input_: Input = files.STANDARD_STREAM,
    output: Output = files.STANDARD_STREAM,
) -> None:
    convert(input_, output, partial(seal, request))


command = takes_request(_seal)
