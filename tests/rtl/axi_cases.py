# SPDX-License-Identifier: Apache-2.0
"""Known answers through registers and streams (loaded by cocotb)."""

import os
import random
import sys
from pathlib import Path

import cocotb

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "python"))

import axi_driver as axi
from vectorfile import FOLDER, sections_of

EACH = int(os.environ.get("RTL_EACH", "1"))


@cocotb.test()
async def known_answers(dut):
    dice = random.Random(1)
    chip = axi.Chip(dut)
    await chip.begin()
    records = [
        record
        for name in ("grain128aead-lwc.txt", "grain128aead-long.txt")
        for record in sections_of(FOLDER / name)["grain128aead"]
        if len(record.fields["ad"]) < 4096
    ]
    for number, record in enumerate(records[::EACH]):
        stalls = number % 4 == 3
        chip.stalls_input = lambda: stalls and dice.random() < 0.3
        chip.stalls_output = lambda: stalls and dice.random() < 0.3
        key, nonce, ad, message, ciphertext, tag = map(
            record.bytes_of, ("key", "nonce", "ad", "message", "ciphertext", "tag")
        )
        sealed = await chip.message(key, nonce, ad, message)
        assert (sealed.output, sealed.tag) == (ciphertext, tag), str(record)
        # The key is still there.
        opened = await chip.message(None, nonce, ad, ciphertext, tag)
        assert (opened.output, opened.verified) == (message, True), str(record)
        bad = bytes([tag[0] ^ 1 << number % 8]) + tag[1:]
        refused = await chip.message(None, nonce, ad, ciphertext, bad)
        assert refused.verified is False, str(record)
