# SPDX-License-Identifier: Apache-2.0
"""Options of `samara console` reach what serves it."""

from pathlib import Path
from typing import Any

import pytest
import typer
from shell import assert_misuse, samara
from typer.testing import CliRunner

from samara.cli.console import command
from samara.console import serving
from samara.errors import MisuseError


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("", (serving.default_folder(), "127.0.0.1", 8154, ())),
        (
            "alice bob --host 127.0.0.2 --port 0 --state talks",
            (Path("talks"), "127.0.0.2", 0, (Path("alice"), Path("bob"))),
        ),
    ],
)
def test_the_options_reach_the_server(
    arguments: str, expected: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[tuple[Any, ...]] = []
    monkeypatch.setattr(
        serving,
        "serve",
        lambda folder, host, port, _, *, nodes, **__: served.append(
            (folder, host, port, nodes)
        ),
    )
    app = typer.Typer()
    app.command()(command)
    done = CliRunner().invoke(app, arguments.split())
    assert done.exit_code == 0, done.output
    assert served == [expected]


def test_a_directory_that_is_not_there_is_reported(tmp_path: Path) -> None:
    asked = ("console", "nowhere", "--port", "0", "--state", "talks")
    done = samara(*asked, folder=tmp_path)
    assert_misuse(done, "there is no directory nowhere: give those of nodes, or none.")
    assert not (tmp_path / "talks").exists()


@pytest.mark.parametrize("name", ["file", "file/below"])
def test_conversations_are_not_kept_in_a_file(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    done = samara("console", "--port", "0", "--state", name, folder=tmp_path)
    assert_misuse(done, f"--state {name}: {tmp_path}/file is a file; expected")


@pytest.mark.parametrize("host", ["", "localhost", "::1", "127.0.0", "127.0.0.1 "])
def test_only_an_address_is_listened_on(host: str, tmp_path: Path) -> None:
    """An empty one would be all addresses of the machine."""
    done = samara("console", "--host", host, "--port", "0", folder=tmp_path)
    assert_misuse(done, f"'--host': expected an IPv4 address, not '{host}'")


def test_behind_the_last_port_there_is_none() -> None:
    """An address of this machine that nothing else uses."""
    host = "127.77.0.1"
    with serving.bound(host, 65_534) as first:
        assert first.getsockname()[1] == 65_534
        first.listen()
        with serving.bound(host, 65_534) as second:
            assert second.getsockname()[1] == 65_535
            second.listen()
            for port in (65_534, 65_535):
                with pytest.raises(MisuseError, match=f"ports {port} to 65535 are"):
                    serving.bound(host, port)
