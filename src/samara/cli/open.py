# SPDX-License-Identifier: Apache-2.0
"""Verify and decrypt what `samara seal` wrote.

The output is written after the whole input has been verified. If it is not
genuine, nothing is written and the exit status is 1. For stdout, a pipe or a
device, the input is copied to a temporary file, still encrypted, and verified
before it is decrypted.

\b
Examples:
  samara open aes128-gcm --key @key -i backup.sealed -o backup.tar
  samara open aes128-ccm-8 --key @key --nonce prefixed -i sealed -o opened
  samara open grain128aead --key @key --nonce 000000000000000000000001 \\
    --ad 0007 <sealed.grain >opened.grain
"""

from functools import partial

from samara.cli.shared import files
from samara.cli.shared.answering import takes_request
from samara.cli.shared.byte_answers import Input, Output, convert
from samara.crypto.sealing import OpenRequest, opened, unverified


def _open(
    request: OpenRequest,
    *,
    input_: Input = files.STANDARD_STREAM,
    output: Output = files.STANDARD_STREAM,
) -> None:
    convert(input_, output, partial(opened, request), partial(unverified, request))


command = takes_request(_open)
