# SPDX-License-Identifier: Apache-2.0
"""One message under every medium access, worked out here by hand, in µJ."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import pytest

from samara.crypto.names import UnknownNameError
from samara.energy import mac
from samara.energy.node import Node
from samara.energy.parts import Part
from samara.energy.security import NONE, Security
from samara.errors import MisuseError

from .hops import GAP_S, hop, radio

if TYPE_CHECKING:
    from pathlib import Path

    from samara.energy.medium_access import MediumAccess
    from samara.energy.transceiver import RadioTimes

# AT86RF231 at 3.0 V sends with 14.0 mA x 3.0 V = 42.0 mW and receives with 12.3 mA x
# 3.0 V = 36.9 mW. A frame of 127 bytes and 6 in front, of 32 µs each: 4256 µs. The
# acknowledgement, 5 + 6 bytes: 352 µs. The gap after a frame, 192 + 352: 544 µs. So a
# repeated frame comes every 4800 µs. The radio's start takes 380 µs at 1.2 mW.
#
#     frame: sent 178.752, received 157.0464    acknowledgement: sent 14.784
#     gap, listening: 20.0736                   start: 0.456
#
# Who receives has been woken up by "idle", which has the start. Who sends slept.
EXPECTED = {}


class Expected(NamedTuple):
    """µJ a message, µW while idle, ms."""

    send: float
    receive: float
    overhear: float
    broadcast: float
    idle: float
    latency: float


EXPECTED["always-listening"] = Expected(
    send=178.752 + 20.0736,
    receive=157.0464 + 14.784,
    overhear=157.0464,
    broadcast=178.752,
    idle=36_900,
    latency=4.256,
)
# 254.256 / 4.8 = 52.97: 53 times. Half of 4800 µs is listened to: 88.56.
# Four times a second: 2500 µs at 36.9 mW are 92.25, and a start.
EXPECTED["lpl"] = Expected(
    send=53 * (178.752 + 20.0736) + 0.456,
    receive=88.56 + 157.0464 + 14.784,
    overhear=88.56 + 157.0464,
    broadcast=53 * (178.752 + 20.0736) + 0.456,
    idle=4 * (92.25 + 0.456),
    latency=125 + 2.4 + 4.256,
)
# A preamble of 250 ms at 42 mW: 10500; half of it at 36.9 mW: 4612.5.
EXPECTED["b-mac"] = Expected(
    send=10_500 + 178.752 + 20.0736 + 0.456,
    receive=4612.5 + 157.0464 + 14.784,
    overhear=4612.5 + 157.0464,
    broadcast=10_500 + 178.752 + 0.456,
    idle=4 * (92.25 + 0.456),
    latency=250 + 4.256,
)
# 250 / 9.6 = 26.0417, and 1.5. Of neighbours, 26.5417 x 4.8 / 250 = 0.5096 hear a
# frame, and 0.0192 the rest of the last one.
EXPECTED["box-mac-2"] = Expected(
    send=27.541667 * (178.752 + 20.0736) + 0.456,
    receive=88.56 + 157.0464 + 14.784,
    overhear=0.5096 * (88.56 + 157.0464) + 0.0192 * 88.56,
    broadcast=53 * (178.752 + 20.0736) + 0.456,
    idle=4 * (92.25 + 0.456),
    latency=125 + 2.4 + 4.256,
)
# A strobe has 11 + 6 bytes: 544 µs, as long as the gap, every 1088 µs. 250 / 2.176 =
# 114.8897, and 1.5. Sent 22.848, received 20.0736; half a period 20.0736, the
# turnaround before the answer 7.0848. Of neighbours 115.3897 x 1.088 / 250 = 0.502176
# hear one, 0.004352 the rest of the last, and 0.017024 the rest of the frame.
# All are told by 231 strobes: 250.544 / 1.088 = 230.3.
EXPECTED["x-mac"] = Expected(
    send=116.389706 * (22.848 + 20.0736) + 178.752 + 0.456,
    receive=20.0736 + 20.0736 + 7.0848 + 14.784 + 157.0464,
    overhear=0.502176 * 40.1472 + 0.004352 * 20.0736 + 0.017024 * 78.5232,
    broadcast=231 * (22.848 + 20.0736) + 178.752 + 0.456,
    idle=4 * (92.25 + 0.456),
    latency=116.389706 * 1.088 + 4.256,
)
# Every 125 ms. Of neighbours, 0.5 x 4.8 / 125 = 0.0192 hear a frame, and 0.0384 the
# rest of the last one. 129.256 / 4.8 = 26.9: 27 times to all. 640 µs listened: 23.616.
EXPECTED["contikimac"] = Expected(
    send=1.5 * (178.752 + 20.0736) + 0.456,
    receive=88.56 + 157.0464 + 14.784,
    overhear=0.0192 * (88.56 + 157.0464) + 0.0384 * 88.56,
    broadcast=27 * (178.752 + 20.0736) + 0.456,
    idle=8 * (23.616 + 0.456),
    latency=62.5 + 2.4 + 4.256,
)
# Half of 400 µs and 352 µs: 552 µs, 20.3688. Half of 2200 µs: 40.59. Two cells in each
# 1010 ms are listened to for 2200 µs: 81.18, and a start; a beacon of 50 + 6 bytes,
# 1792 µs, every 16 s: 75.264. A cell with a frame is not waited in for 2200 µs as well.
EXPECTED["tsch"] = Expected(
    send=178.752 + 20.3688 + 0.456,
    receive=40.59 - 81.18 + 157.0464 + 14.784,
    overhear=0,
    broadcast=178.752 - 81.18,
    idle=2 * (81.18 + 0.456) / 1.01 + 75.264 / 16,
    latency=505 + 2.12 + 4.256,
)
# Of 17, 31 and 397 slots of 10 ms one each: it sleeps in 16/17 x 30/31 x 396/397 =
# 0.908522 of them, and listens in 9.148 a second. In one of them every 16 s is
# the time source's beacon: 40.59 before it, 1792 µs at 36.9 mW are 66.1248, and 81.18
# less.
EXPECTED["orchestra"] = Expected(
    send=178.752 + 20.3688 + 0.456,
    receive=40.59 - 81.18 + 157.0464 + 14.784,
    overhear=0,
    broadcast=178.752 - 81.18,
    idle=100 * (1 - 16 / 17 * 30 / 31 * 396 / 397) * (81.18 + 0.456)
    + (75.264 + 40.59 + 66.1248 - 81.18) / 16,
    latency=85 + 2.12 + 4.256,
)
# A request of 12 + 6 bytes: 576 µs, 24.192; 192 + 352 µs to its acknowledgement.
# 2000 µs until the parent sends: 73.8.
EXPECTED["polling"] = Expected(
    send=178.752 + 20.0736 + 0.456,
    receive=73.8 + 157.0464 + 14.784,
    overhear=0,
    broadcast=178.752 + 20.0736 + 0.456,
    idle=(24.192 + 20.0736 + 0.456) / 5,
    latency=4.256,
)
# Nobody is waited for; what follows a frame is sleep.
EXPECTED["send-only"] = Expected(
    send=178.752 + 0.456,
    receive=157.0464,
    overhear=0,
    broadcast=178.752 + 0.456,
    idle=0,
    latency=4.256,
)
# 127 bytes at SF7: 4 x 7 = 28 bits to a block of 5 symbols; 1016 - 28 + 8 + 20 + 16 =
# 1032 bits are 37 blocks. 12.25 + 8 + 185 symbols of 1.024 ms: 210.176 ms, and 0.17 ms.
# At 42 mW: 8834.532; at 36.9 mW: 7761.7674. Windows of 8 symbols, 8.192 and 262.144 ms:
# 270.336 ms, 9975.3984.
EXPECTED["lorawan-a"] = Expected(
    send=8834.532 + 9975.3984 + 3 * 0.456,
    receive=7761.7674,
    overhear=0,
    broadcast=8834.532 + 9975.3984 + 3 * 0.456,
    idle=0,
    latency=210.346,
)
# 127 + 5 bytes of 8 µs: 1056 µs, 44.352; on three channels. The second of them begins
# 150 + 1056 µs after the first.
EXPECTED["ble-advertising"] = Expected(
    send=3 * 44.352 + 0.456,
    receive=38.9664,
    overhear=0,
    broadcast=3 * 44.352 + 0.456,
    idle=0,
    latency=1.206 + 1.056,
)
# An empty packet: 80 µs, sent 3.36, received 2.952. 100 ppm of 1 s and 16 µs before it,
# 150 µs between both: 266 µs, 9.8154. Half a second until an event; 80 and 150 µs in
# it.
EXPECTED["ble-connection"] = Expected(
    send=44.352,
    receive=38.9664 - 2.952,
    overhear=0,
    broadcast=44.352,
    idle=0.456 + 9.8154 + 2.952 + 3.36,
    latency=500 + 0.23 + 1.056,
)
# 40 ppm of 10 s, and 240 µs: 640 µs before and after, 47.232 for both. A request of 20
# + 6 bytes: 832 µs, 34.944, every 20 s.
EXPECTED["csl"] = Expected(
    send=178.752 + 20.0736 + 0.456,
    receive=23.616 - 47.232 + 157.0464 + 14.784,
    overhear=0,
    broadcast=178.752 + 20.0736 + 0.456,
    idle=47.232 + 0.456 + (34.944 + 20.0736 + 0.456) / 20,
    latency=4.256,
)
# 9.02 ms at 42 mW: 378.84. 380 µs at 36.9 mW while the other radio starts: 14.022. What
# the second receiver draws is no state of the radio.
EXPECTED["wake-up-receiver"] = Expected(
    send=378.84 + 14.022 + 178.752 + 20.0736 + 0.456,
    receive=0.456 + 157.0464 + 14.784,
    overhear=0,
    broadcast=378.84 + 14.022 + 178.752 + 0.456,
    idle=0,
    latency=9.02 + 0.38 + 4.256,
)


def _microjoules(times: RadioTimes) -> float:
    return float(times.energy_j(radio()).total) * 1e6


def _waiting(access: MediumAccess) -> RadioTimes:
    """Return what a second of waiting takes, with requests that are not secured."""
    if (requests := access.requests) is None:
        return access.idle(hop())
    request = requests.times(hop(requests.frame_bytes))
    return access.idle(hop()) + request * requests.per_s


@pytest.mark.parametrize("name", EXPECTED)
def test_by_hand(name: str) -> None:
    access, expected = mac.mac(name), EXPECTED[name]
    found = Expected(
        send=_microjoules(access.send(hop())),
        receive=_microjoules(access.receive(hop())),
        overhear=_microjoules(access.overhear(hop())),
        broadcast=_microjoules(access.broadcast(hop())),
        idle=_microjoules(_waiting(access)),
        latency=float(access.latency_s(hop())) * 1e3,
    )
    assert found == pytest.approx(expected, rel=1e-5)


def test_serial_radio_by_hand() -> None:
    """A CC1110 at 3.0 V: 36.2 mA, 20.5 mA; 13 bytes around a packet, of 32 µs."""
    access, hop_of = mac.mac("serial-radio"), hop(14, "srf")
    # 14 bytes in packets of 12 and 2: 40 bytes, 1280 µs.
    sent = access.send(hop_of)
    assert sent.data_s == pytest.approx(1280e-6)
    joules = sent.energy_j(radio("srf")).total
    assert joules == pytest.approx(1280e-6 * 0.0362 * 3.0)
    assert access.receive(hop_of).receive_s == pytest.approx(1280e-6)
    idle = access.idle(hop_of).energy_j(radio("srf")).total
    assert idle == pytest.approx(0.0205 * 3.0)
    # 16 bytes over lines at 86.8 µs each, 16 ms, and 15 bytes on the air.
    expected_s = 16 * 10 / 115_200 + 0.016 + 15 * 32e-6
    assert access.latency_s(hop_of) == pytest.approx(expected_s)
    # 12 bytes fill a packet: no time-out.
    assert access.latency_s(hop(12, "srf")) == pytest.approx(
        24 * 10 / 115_200 + 25 * 32e-6
    )


def test_polling_downwards_by_hand() -> None:
    access = mac.mac("polling")
    down_s = access.latency_down_s(hop(), hop(12))  # type: ignore[attr-defined]
    assert down_s * 1e3 == pytest.approx(2500 + 0.576 + 0.544 + 2 + 4.256)


def test_requests_are_secured_where_the_link_is() -> None:
    """Each is 14 bytes longer, 18.816 µJ, is sealed, and takes a counter's number."""
    of_link = Security(added_bytes=14, seal_j=3e-6, open_j=5e-6, counter_j=2e-8)
    access = mac.mac("polling")
    bare = Node(radio(), access, 31)
    secured = replace(bare, security=of_link)
    of_payload = replace(of_link, of_sizes={12: NONE})
    plain_uw = (24.192 + 20.0736 + 0.456) / 5
    assert bare.idle_w().total * 1e6 == pytest.approx(plain_uw)
    waiting_w = secured.idle_w()
    assert waiting_w[Part.SECURITY] * 1e6 == pytest.approx(18.816 / 5)
    assert waiting_w[Part.CIPHER] * 1e6 == pytest.approx(3 / 5)
    assert waiting_w[Part.COUNTER] * 1e6 == pytest.approx(0.02 / 5)
    assert waiting_w.total * 1e6 == pytest.approx(plain_uw + (18.816 + 3.02) / 5)
    # What secures payloads leaves requests as they are.
    assert replace(bare, security=of_payload).idle_w() == bare.idle_w()
    # 12 and 26 bytes, and 6 in front, every 5 seconds.
    assert bare.idle_sending() == pytest.approx(576e-6 / 5)
    assert secured.idle_sending() == pytest.approx(1024e-6 / 5)


def test_every_medium_access_has_its_case() -> None:
    assert {*EXPECTED, "serial-radio"} == set(mac.names())


TOY = """
from dataclasses import dataclass
from samara.energy.mac.always_listening import AlwaysListening
@dataclass(frozen=True, slots=True)
class Toy(AlwaysListening):
    title = "a toy"
    toys: float = 3
MAC = Toy
"""


def test_a_module_is_all_that_a_medium_access_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_toy.py").write_text(TOY)
    monkeypatch.setattr(mac, "__path__", [*mac.__path__, str(tmp_path)])
    mac.forget()
    try:
        assert "my-toy" in mac.names()
        assert mac.settings("my-toy") == {"toys": 3}
        assert mac.mac("my-toy", toys=4).send(hop()).data_s == hop().frame_s
    finally:
        monkeypatch.undo()
        mac.forget()
    assert "my-toy" not in mac.names()


def test_names_and_settings_that_are_not_there() -> None:
    with pytest.raises(UnknownNameError, match="did you mean box-mac-2"):
        mac.mac("box-mac")
    with pytest.raises(MisuseError, match="has no setting 'wake'; it has wake_inter"):
        mac.mac("lpl", wake=1)


def test_a_node_that_listens_for_longer_than_there_is_time() -> None:
    with pytest.raises(MisuseError, match=r"interval of 0\.002 s is too short"):
        mac.mac("x-mac", wake_interval_s=2e-3)
    assert mac.mac("contikimac", wake_interval_s=2e-3).idle(hop()).listen_s < 1


def test_a_train_has_room_for_who_wakes_up_last() -> None:
    for frame_bytes in range(10, 128):
        one = hop(frame_bytes)
        copies = mac.mac("lpl").send(one).copies
        assert copies == math.ceil((0.25 + one.frame_s) / one.period_s)
        # The last frame begins when all are awake, but for those of one gap.
        assert (copies - 1) * one.period_s >= 0.25 - GAP_S


def test_a_serial_modem_that_sleeps() -> None:
    """An HC-12: 3 full packets of 12 bytes, 12.5 ms on the line, 13.3 on the air."""
    one = hop(36, "hc-12")
    modem = {"packet_bytes": 12, "baud": 9600.0}
    asleep, listening = (mac.mac("serial-radio", sleeps=s, **modem) for s in (1, 0))
    assert asleep.idle(one).on_s == 0
    assert listening.idle(one).on_s == 1
    sent, usual = asleep.send(one), listening.send(one)
    sent_s = 0.0125 + 3 * (12 + 13) * 8 / 15_000  # the radio is slower than the line
    assert sent.data_s == usual.data_s == pytest.approx((36 + 3 * 13) * 8 / 15_000)
    assert usual.listen_s == 0
    assert sent.listen_s == pytest.approx(0.12 + 0.0125 + 0.06)
    # Others may send while it wakes up; it does not.
    assert asleep.held_s(one) == pytest.approx(sent.data_s)
    assert asleep.service_s(one) == pytest.approx(sent_s + 0.18)
    assert listening.service_s(one) == pytest.approx(0.04)  # its radio is busy
    assert asleep.latency_s(one) - listening.latency_s(one) == pytest.approx(0.12)
    node = Node(radio("hc-12"), asleep, 36)
    message_j = sent.data_s * 0.1 * 3.3 + sent.listen_s * 16e-3 * 3.3
    waiting_j = 60 * 22e-6 * 3.3
    assert node.message(60.0).total == pytest.approx(message_j + waiting_j, rel=1e-6)
    with pytest.raises(MisuseError, match=r"sleeps \(1\) or listens \(0\), not 2"):
        mac.mac("serial-radio", sleeps=2)
