# Settings of this project, which the Makefile includes.
MCU = @MCU@
F_CPU = @CLOCK_HZ@
OPT = @OPT@
PROGRAM = @ROLE@
OWN = @SOURCES@
LINK = @LINK_SOURCES@
