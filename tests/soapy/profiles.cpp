/* SPDX-License-Identifier: Apache-2.0 */
#include "profiles.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace {

double as_given(double rate) { return rate; }

// The resampler of the RTL2832U: a ratio of 28.8 MHz in steps of 4 / 2^22.
double rtl2832u(double rate) {
  const double crystal = 28.8e6 * (1 << 22);
  return crystal / (std::floor(crystal / rate / 4) * 4);
}

// A master clock of 32 MHz, divided by a whole number.
double divided(double rate) {
  const double clock = 32e6;
  return clock / std::max(1.0, std::round(clock / rate));
}

const std::vector<profile> &profiles() {
  using SoapySDR::Range;
  static const std::vector<profile> all = {
      {"hackrf",
       true,
       false,
       131072,
       8,
       {Range(1e6, 20e6)},
       as_given,
       Range(1e6, 7.25e9, 1),
       Range(0, 61, 1),
       {1.75e6, 2.5e6, 3.5e6, 5e6, 5.5e6, 6e6, 7e6, 8e6, 9e6, 10e6, 12e6, 14e6,
        15e6, 20e6, 24e6, 28e6},
       0.03,
       false,
       report::emptied,
       4,
       true},
      {"rtlsdr",
       false,
       false,
       131072,
       8,
       {Range(225001, 300000), Range(900001, 3.2e6)},
       rtl2832u,
       Range(24e6, 1.764e9, 1),
       Range(0, 49.6, 1.6),
       {},
       0.01,
       false,
       report::none,
       0,
       true},
      {"lime",
       true,
       true,
       4080,
       12,
       {Range(1e5, 61.44e6)},
       as_given,
       Range(1e5, 3.8e9, 1),
       Range(0, 61, 1),
       {},
       0.005,
       true,
       report::burst_end,
       0,
       true},
      {"plutosdr",
       true,
       true,
       65536,
       12,
       {Range(65105, 61.44e6)},
       as_given,
       Range(325e6, 3.8e9, 2),
       Range(0, 73, 1),
       {},
       0.005,
       true,
       report::none,
       0,
       false},
      {"b200",
       true,
       true,
       2040,
       12,
       {Range(62500, 56e6)},
       divided,
       Range(50e6, 6e9, 1),
       Range(0, 76, 1),
       {},
       0.002,
       true,
       report::burst_end,
       0,
       false},
  };
  return all;
}

} // namespace

const profile &profile_of(const std::string &name) {
  for (const profile &each : profiles()) {
    if (each.name == name) {
      return each;
    }
  }
  throw std::runtime_error("there is no profile " + name);
}

double nearest(const SoapySDR::Range &range, double wanted) {
  const double lowest = range.minimum();
  const double steps = std::round((wanted - lowest) / range.step());
  return std::clamp(lowest + steps * range.step(), lowest, range.maximum());
}

double nearest_of(const std::vector<double> &values, double wanted) {
  return *std::min_element(values.begin(), values.end(),
                           [wanted](double a, double b) {
                             return std::abs(a - wanted) < std::abs(b - wanted);
                           });
}
