// SPDX-License-Identifier: Apache-2.0
//
// By this name Arduino finds the library, and then samara/*.h in it.
#include <samara/node.h>
