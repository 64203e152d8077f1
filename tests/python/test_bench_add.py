# SPDX-License-Identifier: Apache-2.0
"""`samara bench add`: ciphers of others, what judges them, and why they are refused."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from bench_toys import API, cipher_folder
from shell import assert_done, assert_misuse, objects, said, samara

from samara.bench import added, foreign, known_answers, toolchain
from samara.bench.foreign import NotACipherError
from samara.bench.places import root
from samara.cli.bench import add as command

DEVICE = "atmega328p"
QUICK = ("--device", DEVICE, "--opt", "Os", "--message", "16", "--json")

TOY_HEAD = """
#include "crypto_aead.h"
typedef unsigned char byte;
typedef unsigned long long size;
"""
# As the toy of bench_toys, but what is added comes from elsewhere, and a wrong
# tag is refused.
TOY_BODY = """
int ENCRYPT(byte *c, size *clen, const byte *m, size mlen, const byte *ad,
            size adlen, const byte *nsec, const byte *npub, const byte *k) {
  byte tag = k[1];
  (void)nsec, (void)npub;
  for (unsigned i = 0; i < adlen; i++) tag += ad[i];
  for (unsigned i = 0; i < mlen; i++) c[i] = m[i] ^ step(k[0]);
  c[mlen] = tag;
  *clen = mlen + 1;
  return 0;
}
int DECRYPT(byte *m, size *mlen, byte *nsec, const byte *c, size clen,
            const byte *ad, size adlen, const byte *npub, const byte *k) {
  byte tag = k[1];
  (void)nsec, (void)npub;
  for (unsigned i = 0; i < adlen; i++) tag += ad[i];
  for (unsigned i = 0; i + 1 < clen; i++) m[i] = c[i] ^ step(k[0]);
  *mlen = clen - 1;
  return CHECK;
}
"""
STEP = "static byte step(byte key) { return key + 1; }\n"
CHECK = "tag == c[clen - 1] ? 0 : -1"


def toy_folder(
    folder: Path,
    step: str = STEP,
    check: str = CHECK,
    names: tuple[str, str] = ("crypto_aead_encrypt", "crypto_aead_decrypt"),
) -> Path:
    """Write a toy whose function `step` adds one to a byte of the key."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "api.h").write_text(API)
    body = TOY_BODY.replace("ENCRYPT", names[0]).replace("DECRYPT", names[1])
    (folder / "toy.c").write_text(TOY_HEAD + step + body.replace("CHECK", check))
    return folder


def sealed(message: bytes, header: bytes, *, add: int = 1) -> bytes:
    """Return what the toy makes with the key 10 20 30 40."""
    tag = (0x20 + sum(header)) & 0xFF
    return bytes(byte ^ (0x10 + add) for byte in message) + bytes([tag])


def write_kat(path: Path, *, add: int = 1) -> Path:
    """Write known answers of the toy."""
    blocks = []
    for count, (message, header) in enumerate(
        [(b"", b""), (b"abc", b""), (b"", b"xyz"), (bytes(range(32)), b"head")], 1
    ):
        answer = sealed(message, header, add=add)
        blocks.append(
            f"Count = {count}\nKey = 10203040\nNonce = 01020304\n"
            f"PT = {message.hex()}\nAD = {header.hex().upper()}\nCT = {answer.hex()}\n"
        )
    path.write_text("\n".join(blocks))
    return path


@pytest.fixture(autouse=True)
def own_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have what is added remembered for one test only."""
    for name in ("core", "devices", "firmware", "published"):
        (tmp_path / name).symlink_to(root() / name)
    monkeypatch.setenv("SAMARA_ROOT", str(tmp_path))


def add(folder: Path, name: str, *options: str | Path, where: Path) -> object:
    """Add a folder; return its only result."""
    done = samara("bench", "add", folder, "--name", name, *options, folder=where)
    result, *_ = objects(assert_done(done))
    return result


def kept(name: str, folder: Path) -> bool:
    """Tell whether a name can be measured again."""
    done = samara("bench", "run", "--suite", name, *QUICK, folder=folder)
    if done.returncode:
        assert_misuse(done, f"unknown suite or block cipher {name!r}")
    return done.returncode == 0


# What the help says


@pytest.mark.slow
def test_the_examples_of_the_help_run(tmp_path: Path) -> None:
    text = (command.__doc__ or "").partition("Examples:")[2]
    lines = [line for line in text.replace("\\\n", " ").splitlines() if line.strip()]
    assert len(lines) == 3
    for line in lines:
        program, *words = shlex.split(line)
        assert program == "samara"
        # Users are in the top folder of a clone; tests keep theirs clean.
        done = samara(*words, folder=tmp_path)
        assert done.returncode == 0, (line, done)


def test_the_help_says_which_files_are_left_out(tmp_path: Path) -> None:
    text = " ".join((command.__doc__ or "").split())
    for words in ("genkat_aead.c", "define main", "subdirectories", "lwc_aead_cipher"):
        assert words in text
    # And so it is; the page says the same.
    folder = toy_folder(tmp_path / "toy")
    (folder / "genkat_aead.c").write_text(GENKAT)
    (folder / "other.cpp").write_text("int other;\n")
    toy_folder(folder / "inner")
    (folder / "table.c").write_text("aead_ctx lwc_aead_cipher;\n")
    assert foreign.sources(folder) == [folder / "toy.c"]
    page = (root() / "docs" / "bench.md").read_text(encoding="utf-8")
    for words in ("genkat_aead.c", "subdirectories", "`.cpp`", "`lwc_aead_cipher`"):
        assert words in page


@pytest.mark.slow
def test_the_example_is_the_cipher_that_it_says(tmp_path: Path) -> None:
    folder = Path("firmware/examples/ascon")
    words = (*QUICK, "--same-as", "ascon-aead128", "--ad", "5")
    add(folder, "example", *words, where=tmp_path)
    # Its known answers are read, and are those of the suite.
    assert known_answers.read(root() / folder / "LWC_AEAD_KAT_128_128.txt")


# Headers, endings and tables


@pytest.mark.slow
def test_the_projects_headers_are_supplied(tmp_path: Path) -> None:
    folder = toy_folder(tmp_path / "toy")
    words = ("--device", "msp430f1611", *QUICK[2:])
    extra = "#include <stdio.h>\n#include <inttypes.h>\n#include <stdlib.h>\n"
    extra += "#include <assert.h>\n#include <string.h>\n"
    (folder / "debug.c").write_text(
        extra + 'void show(uint64_t x) { assert(x); printf("%" PRIx64, x); }\n'
    )
    add(folder, "headers", *words, where=tmp_path)


@pytest.mark.slow
def test_a_header_of_the_folder_goes_before_the_supplied_one(tmp_path: Path) -> None:
    folder = toy_folder(tmp_path / "toy", step="#ifndef OWN\n#error\n#endif\n" + STEP)
    (folder / "crypto_aead.h").write_text("#define OWN 1\n")
    add(folder, "own-header", *QUICK, where=tmp_path)


@pytest.mark.slow
def test_a_cipher_known_by_its_table_is_called_through_it(tmp_path: Path) -> None:
    folder = toy_folder(tmp_path / "toy", names=("toy_seal", "toy_open"))
    text = (folder / "toy.c").read_text() + (
        '#include "lwc_crypto_aead.h"\n#include "api.h"\n'
        'aead_ctx lwc_aead_cipher = {"toy", "c", CRYPTO_KEYBYTES, CRYPTO_NPUBBYTES,'
        " CRYPTO_ABYTES, toy_seal, toy_open};\n"
    )
    (folder / "toy.c").write_text(text)
    add(folder, "table", *QUICK, "--kat", write_kat(tmp_path / "kat"), where=tmp_path)


@pytest.mark.slow
def test_a_benchmarks_table_is_left_out_where_there_are_functions(
    tmp_path: Path,
) -> None:
    folder = toy_folder(tmp_path / "toy")
    (folder / "table.c").write_text('#include "gone.h"\naead_ctx lwc_aead_cipher;\n')
    assert foreign.sources(folder) == [folder / "toy.c"]
    add(folder, "left-out", *QUICK, where=tmp_path)


GENKAT = """
#include <stdio.h>
#include "api.h"
#include "crypto_aead.h"
int generate(void) { return crypto_aead_encrypt(0, 0, 0, 0, 0, 0, 0, 0, 0); }
#ifdef LONG
#define ROUNDS 1000
#endif
int main ( void )
{
  FILE *file = fopen("LWC_AEAD_KAT.txt", "w");
  return file == NULL ? 1 : generate();
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("by_table", [False, True])
def test_a_test_program_is_left_out_and_named(
    tmp_path: Path, *, by_table: bool
) -> None:
    folder = toy_folder(tmp_path / "toy")
    if by_table:
        toy_folder(folder, names=("toy_seal", "toy_open"))
        (folder / "table.c").write_text(
            '#include "lwc_crypto_aead.h"\n#include "api.h"\n'
            "int toy_seal(), toy_open();\n"
            'aead_ctx lwc_aead_cipher = {"toy", "c", CRYPTO_KEYBYTES,'
            " CRYPTO_NPUBBYTES, CRYPTO_ABYTES, toy_seal, toy_open};\n"
        )
    (folder / "genkat_aead.c").write_text(GENKAT)
    assert folder / "genkat_aead.c" not in foreign.sources(folder)
    assert ("table.c" in {path.name for path in foreign.sources(folder)}) == by_table
    done = samara(
        "bench", "add", folder, "--name", "with-test", *QUICK, folder=tmp_path
    )
    assert_done(done, "genkat_aead.c is left out: it defines main")


@pytest.mark.parametrize(
    ("text", "is_program"),
    [
        ("int main(void) { return 0; }", True),
        ("void\nmain()\n{\n}", True),
        ("#if A\n#endif\n  # if B\n# endif\nint main(int n, char **v)\n{ }", True),
        (
            "#ifdef TEST\n#if A\nint x;\n#endif\nint main(void) { return 0; }\n#endif",
            False,
        ),
        ("/* int main(void) { */ int x; // int main() {", False),
        ("int main(void);\nint domain(void) { return 0; }", False),
    ],
)
def test_what_defines_main_is_a_program(
    text: str, tmp_path: Path, *, is_program: bool
) -> None:
    folder = toy_folder(tmp_path / "toy")
    (folder / "other.c").write_text(text)
    assert foreign.drivers(folder) == [folder / "other.c"] * is_program
    assert (folder / "toy.c") in foreign.sources(folder)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["s", "S"])
def test_assembly_is_taken_and_judged_by_known_answers(
    suffix: str, tmp_path: Path
) -> None:
    folder = toy_folder(tmp_path / "toy", step="byte step(byte key);\n")
    # avr-gcc: argument and result in r24.
    (folder / f"toy.{suffix}").write_text(
        "; as others' assembly: with directives, whatever the ending\n"
        "#define value r24\n.section .text.step\n.global step\nstep:\n"
        "  subi value, 0xff\n  ret\n"
    )
    base: list[str | Path] = ["bench", "add", folder, "--name", "mixed", *QUICK]
    # Nothing that this machine can run: somebody must say what is right.
    assert_misuse(samara(*base, folder=tmp_path), "undefined: step", "--kat FILE")
    kat = write_kat(tmp_path / "answers.txt")
    result, *_ = objects(assert_done(samara(*base, "--kat", kat, folder=tmp_path)))
    assert result["cycles"]["seal"]["value"] > 0
    assert kept("mixed", tmp_path)
    # Wrong answers: no figures.
    done = samara(*base, "--replace", "--kat", write_kat(kat, add=2), folder=tmp_path)
    assert done.returncode == 1
    assert "wrong answer to seal" in done.stderr.decode()


@pytest.mark.slow
def test_known_answers_beside_a_folder_are_found(tmp_path: Path) -> None:
    folder = toy_folder(tmp_path / "toys" / "c")
    write_kat(tmp_path / "toys" / "LWC_AEAD_KAT_32_32.txt")
    words = [word for word in QUICK if word != "--json"]
    done = samara("bench", "add", folder, "--name", "near", *words, folder=tmp_path)
    output = " ".join(assert_done(done).decode().split())
    assert "near was compared with the C sources of" in output
    assert "LWC_AEAD_KAT_32_32.txt" in output


def test_sizes_may_be_macros_of_other_names(tmp_path: Path) -> None:
    folder = toy_folder(tmp_path / "toy")
    (folder / "api.h").write_text(
        "#ifndef A\n#define A\n#define KEY (0x4u)\n#define CRYPTO_KEYBYTES KEY\n"
        "# define CRYPTO_NPUBBYTES 4\n#define CRYPTO_ABYTES\t1 \n#endif\n"
    )
    assert foreign.sizes((folder,)) == foreign.Sizes(4, 4, 1)
    (folder / "api.h").write_text("#define CRYPTO_KEYBYTES sizeof(long)\n")
    with pytest.raises(NotACipherError, match="CRYPTO_KEYBYTES as a number"):
        foreign.sizes((folder,))


# Judges


@pytest.mark.slow
def test_a_wrong_tag_that_is_taken_is_found(tmp_path: Path) -> None:
    folder = toy_folder(tmp_path / "toy", check="0 * tag")
    kat = write_kat(tmp_path / "kat")
    words = ("--name", "credulous", *QUICK, "--kat", kat)
    done = samara("bench", "add", folder, *words, folder=tmp_path)
    assert done.returncode == 1
    assert "with a changed tag" in done.stderr.decode()
    assert not kept("credulous", tmp_path)


@pytest.mark.slow
def test_a_device_is_tried_with_the_last_known_answer_too(tmp_path: Path) -> None:
    # Wrong only with 4 bytes of associated data, and only on small machines.
    step = "static byte step(byte key) { return key + 1; }\n"
    folder = toy_folder(tmp_path / "toy", step)
    text = (folder / "toy.c").read_text()
    fault = "  if (sizeof(void *) < 8 && adlen == 4) c[31] ^= 1;\n  c[mlen] = tag;"
    (folder / "toy.c").write_text(text.replace("  c[mlen] = tag;", fault))
    kat = write_kat(tmp_path / "kat")
    words = ("--name", "late", *QUICK, "--kat", kat)
    done = samara("bench", "add", folder, *words, folder=tmp_path)
    assert done.returncode == 1
    assert "for 32 bytes with 4 of associated data" in done.stderr.decode()


@pytest.mark.slow
def test_another_folder_can_be_the_reference(tmp_path: Path) -> None:
    assembly = toy_folder(tmp_path / "toy", step="byte step(byte key);\n")
    (assembly / "step.S").write_text(
        ".section .text.step\n.global step\nstep:\n  subi r24, 0xff\n  ret\n"
    )
    reference = toy_folder(tmp_path / "reference")
    add(assembly, "referred", *QUICK, "--reference", reference, where=tmp_path)
    other = toy_folder(tmp_path / "other", step=STEP.replace("key + 1", "key + 2"))
    words = ("--name", "referred", "--replace", *QUICK, "--reference", other)
    done = samara("bench", "add", assembly, *words, folder=tmp_path)
    assert done.returncode == 1
    assert "wrong answer to seal" in done.stderr.decode()
    (other / "api.h").write_text(API.replace("ABYTES 1", "ABYTES 2"))
    done = samara("bench", "add", assembly, *words, folder=tmp_path)
    assert_misuse(done, "takes 4, 4 and 2 bytes")
    done = samara(
        "bench", "add", assembly, *words, "--same-as", "aes128-gcm", folder=tmp_path
    )
    assert_misuse(done, "--same-as or --reference, not both")


@pytest.mark.slow
def test_a_reference_that_contradicts_the_known_answers_is_refused(
    tmp_path: Path,
) -> None:
    folder = toy_folder(tmp_path / "toy")
    kat = write_kat(tmp_path / "kat", add=3)
    words = ("--name", "torn", *QUICK, "--kat", kat)
    refused = samara(
        "bench", "add", folder, *words, "--reference", folder, folder=tmp_path
    )
    assert_misuse(refused, "gives another answer", "Count = 2")
    # The folder's own sources are not believed then: the device is wrong too.
    done = samara("bench", "add", folder, *words, folder=tmp_path)
    assert done.returncode == 1
    (tmp_path / "kat").write_text((tmp_path / "kat").read_text().replace("1020", "10"))
    done = samara("bench", "add", folder, *words, folder=tmp_path)
    assert_misuse(done, "of other sizes")


# Refusals


@pytest.mark.slow
def test_what_is_undefined_is_named_and_the_name_is_not_kept(tmp_path: Path) -> None:
    step = (
        "#ifdef __AVR__\nbyte first(byte), second(byte);\n"
        "static byte step(byte key) { return first(key) + second(key); }\n"
        "#else\n" + STEP + "#endif\n"
    )
    folder = toy_folder(tmp_path / "toy", step)
    words = ("--name", "unlinked", *QUICK[2:])
    done = samara("bench", "add", folder, "--device", DEVICE, *words, folder=tmp_path)
    assert done.returncode == 1
    text = " ".join(said(done))
    assert f"unlinked cannot be built for {DEVICE}" in text
    assert "undefined: first, second" in text
    assert "is not kept" in text
    assert not kept("unlinked", tmp_path)
    # One device of two suffices.
    both = ("--device", DEVICE, "--device", "cortex-m3")
    done = samara("bench", "add", folder, *both, *words, folder=tmp_path)
    assert done.returncode == 1
    results = [one for one in objects(done.stdout) if one["type"] == "result"]
    assert {one["device"] for one in results} == {"cortex-m3"}
    assert "unlinked" in added_names(tmp_path)


def added_names(folder: Path) -> set[str]:
    text = (folder / "build" / "bench" / "added-ciphers.json").read_text()
    return set(json.loads(text))


@pytest.mark.slow
def test_a_failed_replacement_leaves_the_name_where_it_was(tmp_path: Path) -> None:
    good = toy_folder(tmp_path / "good")
    add(good, "name", *QUICK, where=tmp_path)
    bad = toy_folder(
        tmp_path / "bad", step="#ifdef __AVR__\n#error no\n#endif\n" + STEP
    )
    words = ("--name", "name", *QUICK)
    done = samara("bench", "add", bad, *words, folder=tmp_path)
    assert_misuse(done, "--replace")
    done = samara("bench", "add", bad, *words, "--replace", folder=tmp_path)
    assert done.returncode == 1
    assert "#error no" in done.stderr.decode()
    assert kept("name", tmp_path)


@pytest.mark.slow
def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    done = samara("bench", "add", tmp_path / "no", "--name", "x", folder=tmp_path)
    assert_misuse(done, "is not a directory")
    done = samara(
        "bench", "add", cipher_folder(tmp_path / "a"), "--name", "X", folder=tmp_path
    )
    assert_misuse(done, "lower-case letter")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (
            (
                "main.o: In function `f':\nmain.c:(.text.f+0x2): undefined reference to"
                " `g'\nmain.c:(.text.f+0x8): undefined reference to `h'\nmain.c:1:"
                " undefined reference to `g'\n"
                "collect2: error: ld returned 1 exit status"
            ),
            "undefined: g, h",
        ),
        (
            (
                "ld.lld: error: undefined symbol: __mspabi_divull\n"
                ">>> referenced by a.c\n>>>               a.o:(f)\n"
            ),
            "undefined: __mspabi_divull",
        ),
        (
            (
                "b.o: in function `f':\nb.c:1: multiple definition of `f'; a.o:a.c:1:"
                " first defined here\ncollect2: error: ld returned 1 exit status"
            ),
            "b.c:1: multiple definition of `f'; a.o:a.c:1: first defined here",
        ),
        ("a.s: Assembler messages:\na.s:3: Error: unknown opcode", "a.s:3: Error: "),
        ("collect2: error: ld returned 1 exit status", "collect2: error"),
    ],
)
def test_the_linkers_own_reason_is_reported(written: str, expected: str) -> None:
    assert toolchain.reason(written).startswith(expected)


# Files of known answers


def test_known_answers_are_read_as_the_project_writes_them(tmp_path: Path) -> None:
    found = known_answers.read(write_kat(tmp_path / "kat"))
    assert [answer.count for answer in found] == ["1", "2", "3", "4"]
    assert {answer.sizes for answer in found} == {(4, 4, 1)}
    assert (found[1].message, found[1].associated_data) == (b"abc", b"")
    assert (found[2].message, found[2].associated_data) == (b"", b"xyz")
    assert found[1].sealed == sealed(b"abc", b"")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "no known answers"),
        ("Count = 1\nKey = 00\n", "Count = 1 has no Nonce, PT, AD, CT"),
        (
            "Count = 7\nKey = 0\nNonce =\nPT =\nAD =\nCT =\n",
            "Count = 7 has a value that is not",
        ),
        ("Count = 7\nKey =\nNonce =\nPT = 00\nAD =\nCT =\n", "shorter than its PT"),
    ],
)
def test_a_damaged_file_of_known_answers_is_refused(
    text: str, expected: str, tmp_path: Path
) -> None:
    path = tmp_path / "kat"
    path.write_text(text)
    with pytest.raises(known_answers.DamagedKnownAnswersError, match=expected):
        known_answers.read(path)


def test_a_spread_has_the_first_and_the_last() -> None:
    answers = [
        known_answers.KnownAnswer(str(n), b"", b"", b"", b"", b"") for n in range(1089)
    ]
    found = known_answers.spread(answers, added.KNOWN_ANSWERS)
    assert len({answer.count for answer in found}) == added.KNOWN_ANSWERS
    assert (found[0].count, found[-1].count) == ("0", "1088")
    assert known_answers.spread(answers[:3], 32) == answers[:3]


def test_a_cipher_that_needs_a_heap_is_refused_and_reported_why(tmp_path: Path) -> None:
    step = (
        "#include <stdlib.h>\nstatic byte step(byte key) {\n"
        "  volatile byte *p = malloc(1);\n  *p = key + 1;\n  return *p;\n}\n"
    )
    folder = toy_folder(tmp_path / "toy", step)
    done = samara("bench", "add", folder, "--name", "heap", *QUICK, folder=tmp_path)
    assert done.returncode == 1
    assert "it calls malloc, but the measuring program has no heap" in " ".join(
        said(done)
    )
