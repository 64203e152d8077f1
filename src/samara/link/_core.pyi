# SPDX-License-Identifier: Apache-2.0
# The extension module; what it means is documented where Python wraps it.
