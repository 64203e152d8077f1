# SPDX-License-Identifier: Apache-2.0
"""The commands `samara suites`, `keygen` and `block`."""

import secrets
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from rich.console import Console

from samara import crypto
from samara.cli.shared import files
from samara.cli.shared.completion import complete_block_cipher, complete_suite
from samara.cli.shared.inputs import KEY_HELP, Keyed, key_of, warn_of
from samara.cli.shared.json_lines import print_json
from samara.cli.shared.tables import Column, Wide, console, print_table, print_text
from samara.crypto import BlockCipher, Standing, Suite
from samara.crypto.tag_lengths import folded, shortened
from samara.hex_digits import bytes_of_hex

STANDING_STYLES = {
    Standing.STANDARD: "green",
    Standing.FINALIST: "cyan",
    Standing.RESEARCH: "yellow",
}
_SUITE_COLUMNS = (
    Column("suite"),
    Column("standing"),
    Column("key", numeric=True),
    Column("nonce", numeric=True),
    Column("tag", numeric=True),
    Column("streams"),
    Column("source", wraps=True),
)
_BLOCK_COLUMNS = (
    Column("block cipher"),
    Column("standing"),
    Column("key", numeric=True),
    Column("block", numeric=True),
    Column("source", wraps=True),
)
_OF_A_TAG = ("slug", "tag_size")


def suites(
    *,
    every: Annotated[
        bool, typer.Option("--all", help="Show each tag length in a row of its own.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines, one object a cipher.")
    ] = False,
    wide: Wide = False,
) -> None:
    """List the suites and block ciphers, with their sizes in bytes.

    A suite is a cipher in a mode with its tag length. Standing says how far to rely
    on it: a standard, a finalist of a competition, or for research only.

    Suites that differ only in the tag length share a row: aes128-ccm-4..16 stands
    for aes128-ccm-4, aes128-ccm-6 and so on, as --all lists them. --json prints all.

    \b
    Examples:
      samara suites
      samara suites --all
      samara suites --json
    """
    if as_json:
        for suite in crypto.suites():
            print_json("suite", _suite_fields(suite))
        for cipher in crypto.block_ciphers():
            print_json("block_cipher", _block_fields(cipher))
        return
    rows = _rows(every=every)
    screen = console()
    _print_suites(screen, rows, wide=wide)
    _print_block_ciphers(screen, wide=wide)
    for note, names in _notes(rows).items():
        print_text(screen, f"[bold]{note}[/bold]: {', '.join(names)}")


class _Row(NamedTuple):
    """A row of the table of suites."""

    name: str
    tags: str
    suite: Suite


def _rows(*, every: bool) -> list[_Row]:
    """Return the rows; suites that differ only in the tag length share one."""
    all_ = crypto.suites()
    if every:
        return [
            _Row(suite.slug, str(suite.tag_size or "none"), suite) for suite in all_
        ]
    return [
        _shared_row(suite, name)
        for suite, name in folded(
            all_,
            suite=lambda suite: suite.slug,
            tag_size=lambda suite: suite.tag_size,
            same=_properties,
        )
    ]


def _shared_row(suite: Suite, name: str) -> _Row:
    short = shortened(name)
    tags = short.rpartition("-")[2] if short != suite.slug else suite.tag_size or "none"
    return _Row(short, str(tags), suite)


def _properties(suite: Suite) -> tuple[object, ...]:
    """Return what a row says of a suite beside its name and tag."""
    fields = _suite_fields(suite)
    return tuple(value for name, value in fields.items() if name not in _OF_A_TAG)


def _suite_fields(suite: Suite) -> dict[str, Any]:
    least, most = suite.nonce_sizes
    return {
        "slug": suite.slug,
        "standing": suite.standing.value,
        "source": suite.source,
        "note": suite.note,
        "key_size": suite.key_size,
        "nonce_size": suite.nonce_size,
        "nonce_size_min": least,
        "nonce_size_max": most,
        "tag_size": suite.tag_size,
        "padding_size": suite.padding_size,
        "authenticates": suite.authenticates,
        "streams": suite.streams,
    }


def _block_fields(cipher: BlockCipher) -> dict[str, Any]:
    return {
        "slug": cipher.slug,
        "standing": cipher.standing.value,
        "source": cipher.source,
        "note": cipher.note,
        "key_size": cipher.key_size,
        "block_size": cipher.block_size,
    }


def _print_suites(screen: Console, rows: Sequence[_Row], *, wide: bool) -> None:
    cells = [
        (
            name,
            _styled(suite.standing),
            str(suite.key_size),
            str(suite.nonce_size),
            tags,
            "yes" if suite.streams else "no",
            suite.source,
        )
        for name, tags, suite in rows
    ]
    print_table(screen, _SUITE_COLUMNS, cells, empty="no suite was built in", wide=wide)


def _print_block_ciphers(screen: Console, *, wide: bool) -> None:
    rows = [
        (
            cipher.slug,
            _styled(cipher.standing),
            str(cipher.key_size),
            str(cipher.block_size),
            cipher.source,
        )
        for cipher in crypto.block_ciphers()
    ]
    empty = "no block cipher was built in"
    print_table(screen, _BLOCK_COLUMNS, rows, empty=empty, wide=wide)


def _styled(standing: Standing) -> str:
    return f"[{STANDING_STYLES[standing]}]{standing}[/]"


def _notes(rows: Sequence[_Row]) -> dict[str, list[str]]:
    """Return the names of suites and block ciphers by the note on them."""
    noted = [(row.suite.note, row.name) for row in rows]
    noted += [(cipher.note, cipher.slug) for cipher in crypto.block_ciphers()]
    notes: dict[str, list[str]] = {}
    for note, name in noted:
        if note:
            notes.setdefault(note, []).append(name)
    return notes


def keygen(
    cipher: Annotated[
        str,
        typer.Argument(
            metavar="SUITE|CIPHER",
            help="Suite or block cipher, as `samara suites` lists them.",
            autocompletion=complete_suite,
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="New file for the key, readable by its owner only. Default: stdout.",
        ),
    ] = None,
    *,
    force: Annotated[
        bool, typer.Option("--force", help="Replace FILE if it exists.")
    ] = False,
) -> None:
    """Generate a random key for a suite or a block cipher, and write it as hex digits.

    \b
    Examples:
      samara keygen aes128-ccm-8 -o key
      samara keygen ascon-aead128
    """
    blocks = {each.slug: each for each in crypto.block_ciphers()}
    keyed: Keyed = blocks.get(cipher) or crypto.suite_named(cipher)
    text = secrets.token_hex(keyed.key_size) + "\n"
    if output is None or output == files.STANDARD_STREAM:
        print(text, end="")
    else:
        files.write_secret(output, text.encode("ascii"), force=force)


class Direction(StrEnum):
    """What `samara block` does with the block."""

    ENCRYPT = "encrypt"
    DECRYPT = "decrypt"


def block(
    cipher: Annotated[
        str,
        typer.Argument(
            metavar="CIPHER",
            autocompletion=complete_block_cipher,
            help="Block cipher, as `samara suites` lists it, such as aes128.",
        ),
    ],
    direction: Annotated[
        Direction, typer.Argument(metavar="encrypt|decrypt", help="What to do.")
    ],
    block_hex: Annotated[
        str, typer.Argument(metavar="HEX", help="One block, as hex digits.")
    ],
    key: Annotated[
        str,
        typer.Option("--key", metavar="HEX|@FILE", help=KEY_HELP),
    ],
) -> None:
    """Encrypt or decrypt one block with a block cipher.

    This is the cipher without a mode of operation, to compare with test vectors. To
    protect messages, use `samara seal`.

    For AES the bytes are in the order of FIPS 197. Speck, Simon and ModSpeck follow
    the designers' implementation guide: little-endian words, the low word first.
    The designers' paper prints the high word first: the first example is its
    Speck64/96 vector, with key 13121110 0b0a0908 03020100, plaintext 74614620
    736e6165 and ciphertext 9f7952ec 4175946c.

    \b
    Examples:
      samara block speck64-96 encrypt --key 0001020308090a0b10111213 \\
        65616e7320466174  # 6c947541ec52799f
      samara block aes128 encrypt --key 000102030405060708090a0b0c0d0e0f \\
        00112233445566778899aabbccddeeff  # 69c4e0d86a7b0430d8cdb78070b4c55a
    """
    chosen = crypto.block_cipher(cipher)
    secret = key_of(key, chosen)
    data = bytes_of_hex("the block", block_hex)
    warn_of(chosen)
    run = chosen.encrypt if direction is Direction.ENCRYPT else chosen.decrypt
    print(run(secret, data).hex())
