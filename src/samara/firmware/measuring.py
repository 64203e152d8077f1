# SPDX-License-Identifier: Apache-2.0
"""Flash and RAM that the image of a project takes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from samara.bench import images
from samara.figure import Figure, Origin
from samara.firmware import project as projects
from samara.firmware.project import ProjectRequest  # noqa: TC001 - read at run time
from samara.records import Answer, Field, Record, Refusal, Title, record_class


@record_class
class FirmwareSize(Record):
    """What the image of a project takes of its device."""

    image: Annotated[Path, Field("The image.", heading="image", rank=0)]
    flash: Annotated[
        Figure,
        Field("Code, constants, initial values of variables.", heading="flash", rank=0),
    ]
    ram: Annotated[
        Figure, Field("Variables, without the stack.", heading="RAM", rank=0)
    ]
    flash_room: Annotated[
        int, Field("Flash of the device.", heading="flash of the device", unit="byte")
    ]
    ram_room: Annotated[
        int, Field("RAM of the device.", heading="RAM of the device", unit="byte")
    ]


def size(request: ProjectRequest) -> Answer[FirmwareSize]:
    """Build a project, and yield what its image takes.

    Raises
    ------
    MisuseError
        When there is no project, or it does not build.
    """
    project = projects.read(request.project)
    image = images.read(project.make())
    record = FirmwareSize(
        image.path,
        counted(image.flash_bytes),
        counted(image.ram_bytes),
        project.device.flash_bytes,
        project.device.ram_bytes,
    )
    yield Title(f"{project.device.title}, {project.suite}, {project.build.title}")
    yield record
    if image.ram_bytes >= project.device.ram_bytes:
        yield Refusal("the variables leave no RAM for the stack")


def counted(number: int) -> Figure:
    """Return bytes of an image."""
    return Figure(number, "byte", Origin.MEASURED, "counted in the image")
