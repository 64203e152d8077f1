/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SOFTWARE_RADIO_PROFILES_H
#define SOFTWARE_RADIO_PROFILES_H

#include <SoapySDR/Types.hpp>
#include <cstddef>
#include <string>
#include <vector>

// What a transmitting device tells of samples that have left it.
enum class report {
  none,      // it cannot be asked
  emptied,   // that it has run out of samples, after a burst or within one
  burst_end, // that it has sent the sample marked as the end of a burst
};

// The habits of a device and its driver, as their sources and users tell them.
struct profile {
  std::string name;
  bool transmits;
  bool full_duplex;
  size_t buffer; // samples; what a stream calls its MTU
  int bits;      // of a sample, on each axis
  SoapySDR::RangeList rates;
  double (*coerced)(double rate);
  SoapySDR::Range frequencies; // with their step
  SoapySDR::Range gains;
  std::vector<double> bandwidths; // none: the sample rate
  double offset;                  // DC, of full scale
  bool flushes_at_end;            // a buffer that a burst's end leaves unfilled
  report told;
  size_t on_their_way; // buffers that the driver does not count
  bool stops_at_once;  // what waits when a stream is stopped is lost
};

// Throws std::runtime_error.
const profile &profile_of(const std::string &name);

// The value nearest to one that is wanted.
double nearest(const SoapySDR::Range &range, double wanted);
double nearest_of(const std::vector<double> &values, double wanted);

#endif
