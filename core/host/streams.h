/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_HOST_STREAMS_H
#define SAMARA_HOST_STREAMS_H

#include <samara/suite.h>

/* The suites that work in pieces. Those of a mode take the cipher from the
 * suite's `implementation`. */
extern const samara_stream samara_ctr_stream;
extern const samara_stream samara_cbc_stream;
extern const samara_stream samara_grain128aead_stream;
extern const samara_stream samara_grain128ple_stream;

#endif
