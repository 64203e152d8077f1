# SPDX-License-Identifier: Apache-2.0
"""What a simulator runs: the core against known answers (loaded by cocotb)."""

import os
import sys
from pathlib import Path

import cocotb

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "python"))

from driver import Core
from vectorfile import FOLDER, sections_of

EACH = int(os.environ.get("RTL_EACH", "1"))


@cocotb.test()
async def known_answers(dut):
    core = Core(dut)
    await core.begin()
    records = [
        record
        for name in ("grain128aead-lwc.txt", "grain128aead-long.txt")
        for record in sections_of(FOLDER / name)["grain128aead"]
    ]
    for record in records[::EACH]:
        key, nonce, ad, message, ciphertext, tag = map(
            record.bytes_of, ("key", "nonce", "ad", "message", "ciphertext", "tag")
        )
        sealed = await core.message(key, nonce, ad, message)
        assert (sealed.output, sealed.tag) == (ciphertext, tag), str(record)
        opened = await core.message(key, nonce, ad, ciphertext, tag)
        assert opened.output == message, str(record)
        assert opened.verified, str(record)
