# SPDX-License-Identifier: Apache-2.0
"""What a device gets of a node: bytes, and names of C (core/include/samara/node.h)."""

from __future__ import annotations

from dataclasses import dataclass

_BYTES_A_LINE = 12


@dataclass(frozen=True, slots=True)
class DeviceRecord:
    """A provisioning record. It contains a key."""

    content: bytes
    """As `samara_node_adopt` takes it."""
    link: str
    """The C object of its kind of link, such as `samara_node_rfserial`."""
    suite: str
    """The C object of its suite, such as `samara_aes128_ccm_aead`."""
    member: str
    """What the C object of its suite is in the settings of a node: aead or cipher."""
    key_type: str
    """A C type with room for its expanded key, and what else its link keeps there."""

    def header(self) -> str:
        """Return a C header that defines the record."""
        return "\n".join(
            (
                "/* The provisioning record of one device (samara/node.h), made by",
                " * samara. It contains a key: whoever reads it can read and forge",
                " * messages. Give it to one device, once, and remove it. */",
                "#ifndef SAMARA_NODE_RECORD_H",
                "#define SAMARA_NODE_RECORD_H",
                "",
                "#include <samara/samara.h>",
                "",
                f"#define SAMARA_NODE_RECORD_LINK {self.link}",
                f"#define SAMARA_NODE_RECORD_{self.member.upper()} {self.suite}",
                f"typedef {self.key_type} samara_node_record_key;",
                "",
                f"static const uint8_t samara_node_record[{len(self.content)}] = {{",
                *self._lines(),
                "};",
                "",
                "#endif",
                "",
            )
        )

    def _lines(self) -> list[str]:
        digits = [f"0x{byte:02x}" for byte in self.content]
        starts = range(0, len(digits), _BYTES_A_LINE)
        return [f"    {', '.join(digits[at : at + _BYTES_A_LINE])}," for at in starts]
