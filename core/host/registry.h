/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_HOST_REGISTRY_H
#define SAMARA_HOST_REGISTRY_H

#include <samara/suite.h>

/* The rows of registry.def, expanded. */
extern const samara_block_cipher samara_block_ciphers[];
extern const size_t samara_block_cipher_count;
extern const samara_suite samara_suites[];
extern const size_t samara_suite_count;

#endif
