/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SOFTWARE_RADIO_SETTINGS_H
#define SOFTWARE_RADIO_SETTINGS_H

// What all clocks of a device come from.
struct crystal {
  double error; // of its frequency, a share

  double actual(double nominal) const { return nominal * (1 + error); }
};

// What one direction of a device is set to.
struct tuned {
  double rate = 1e6;
  double frequency = 1e9;
  double gain = 0;
  double bandwidth = 1e6;
};

#endif
