/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SOFTWARE_RADIO_RECEIVING_H
#define SOFTWARE_RADIO_RECEIVING_H

#include "air.h"
#include "profiles.h"
#include "settings.h"
#include <chrono>
#include <deque>
#include <map>
#include <random>

// What one sender's samples are at the rate and the frequency of a receiver.
class hearing {
public:
  hearing(double step, double turn) : d_step(step), d_turn(turn) {}

  void put(const std::vector<sample> &sent, std::deque<sample> &heard);

private:
  const double d_step; // samples of the sender for one of the receiver
  const double d_turn; // of the carrier, cycles a sample
  double d_place = 0;  // in the sender's samples, from the last one on
  double d_phase = 0;  // cycles
  sample d_last;
};

// The receiving half of a device: buffers of what is on the air and noise.
class receiving {
public:
  receiving(const profile &habits, const crystal &clock, const tuned &settings,
            const std::string &folder, const std::string &name, double noise);

  void start();
  void stop();

  // Samples, or an error of SoapySDR.
  int read(sample *samples, size_t count, long timeout_us);

  // The next buffer is lost, and the device says so.
  void overflow() { d_overflows = true; }

private:
  struct sender {
    hearing heard;
    bool goes_on;
    std::deque<sample> waiting;
  };

  bool fill(long timeout_us);
  void listen(int timeout_ms);
  void take(const piece &got);
  bool is_due(long timeout_us);
  bool has_waiting() const;
  bool is_cut() const;
  void add(sender &from);
  sample digitised(sample value);

  const profile &d_habits;
  const crystal &d_clock;
  const tuned &d_settings;
  air_receiver d_air;
  const float d_noise;
  std::map<std::string, sender> d_senders;
  std::mt19937 d_random{1};
  std::vector<sample> d_buffer;
  size_t d_given = 0;
  std::chrono::steady_clock::time_point d_due;
  bool d_runs = false;
  bool d_overflows = false;
};

#endif
