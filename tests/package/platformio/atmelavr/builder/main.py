# SPDX-License-Identifier: Apache-2.0
"""Build an image with the options that PlatformIO's platform atmelavr 5.1 gives.

SCons runs it. Of an environment without a framework: link-time optimisation, and
libraries as archives.
"""

from SCons.Script import Default, DefaultEnvironment

env = DefaultEnvironment()
chip = "-mmcu=" + env.BoardConfig().get("build.mcu")
env.Replace(
    AR="avr-gcc-ar",
    CC="avr-gcc",
    CXX="avr-g++",
    LINK="$CC",
    RANLIB="avr-gcc-ranlib",
    PROGNAME="firmware",
    PROGSUFFIX=".elf",
)
env.Append(
    CFLAGS=["-std=gnu11", "-fno-fat-lto-objects"],
    CCFLAGS=[
        *(chip, "-Os", "-Wall", "-ffunction-sections", "-fdata-sections", "-flto"),
    ],
    CPPDEFINES=[("F_CPU", "$BOARD_F_CPU")],
    LINKFLAGS=[chip, "-Os", "-Wl,--gc-sections", "-flto", "-fuse-linker-plugin"],
    LIBS=["m"],
)
Default(env.BuildProgram())
