# SPDX-License-Identifier: Apache-2.0
"""Make, measure and run the firmware of a device with a serial radio."""
