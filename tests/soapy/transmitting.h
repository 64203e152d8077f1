/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SOFTWARE_RADIO_TRANSMITTING_H
#define SOFTWARE_RADIO_TRANSMITTING_H

#include "air.h"
#include "profiles.h"
#include "settings.h"
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

// The transmitting half of a device: buffers that wait, and a thread that puts
// them on the air, each in the time that it takes.
class transmitting {
  using clock_type = std::chrono::steady_clock;

public:
  transmitting(const profile &habits, const crystal &clock,
               const tuned &settings, const std::string &folder,
               const std::string &name);
  ~transmitting();
  transmitting(const transmitting &) = delete;
  transmitting &operator=(const transmitting &) = delete;

  void start();
  void stop();

  // Samples that were taken, or an error of SoapySDR.
  int write(const sample *samples, size_t count, bool is_end, long timeout_us);

  // 0 and flags, or an error of SoapySDR.
  int status(int &flags, long timeout_us);

  // The next burst lacks a buffer, and the device says so.
  void run_short() { d_runs_short = true; }

private:
  struct buffer {
    std::vector<sample> samples;
    bool is_end;
  };

  void work();
  void release(bool is_end);
  bool is_under_way() const;
  void pass_on(std::unique_lock<std::mutex> &lock);
  void tell_of_end(std::unique_lock<std::mutex> &lock, bool is_end);
  void tell(int result, int flags);

  const profile &d_habits;
  const crystal &d_clock;
  const tuned &d_settings;
  const air_sender d_air;
  const std::string d_left_on; // a file, when a burst has no end
  std::mutex d_mutex;
  std::condition_variable d_changed;
  std::deque<buffer> d_waiting;
  std::deque<std::pair<int, int>> d_told;
  std::vector<sample> d_filling;
  std::deque<buffer> d_on_their_way;
  clock_type::time_point d_next; // when the next buffer is due
  clock_type::time_point d_stopped;
  std::thread d_thread;
  bool d_runs = false;
  bool d_drops_rest = false;
  bool d_runs_short = false;
};

#endif
