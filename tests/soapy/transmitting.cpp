/* SPDX-License-Identifier: Apache-2.0 */
#include "transmitting.h"

#include <SoapySDR/Constants.h>
#include <SoapySDR/Errors.h>
#include <algorithm>
#include <chrono>
#include <fstream>

namespace {

constexpr size_t most_waiting = 15;
constexpr auto patience = std::chrono::seconds(1);

} // namespace

transmitting::transmitting(const profile &habits, const crystal &clock,
                           const tuned &settings, const std::string &folder,
                           const std::string &name)
    : d_habits(habits), d_clock(clock), d_settings(settings),
      d_air(folder, name), d_left_on(folder + "/" + name + ".left_on") {}

transmitting::~transmitting() { stop(); }

void transmitting::start() {
  if (d_runs) {
    return;
  }
  d_runs = true;
  d_drops_rest = false;
  d_filling.clear();
  d_told.clear();
  d_next = clock_type::now();
  d_on_their_way.assign(d_habits.on_their_way, buffer());
  d_thread = std::thread([this] { work(); });
}

// What fills no buffer is lost. What waits is sent first, or lost, too: a
// device that stops at once has sent what was due until then, however late this
// thread is.
void transmitting::stop() {
  {
    const std::lock_guard<std::mutex> lock(d_mutex);
    d_runs = false;
    d_drops_rest = d_habits.stops_at_once;
    d_stopped = clock_type::now();
  }
  d_changed.notify_all();
  if (d_thread.joinable()) {
    d_thread.join();
  }
  d_waiting.clear();
}

int transmitting::write(const sample *samples, size_t count, bool is_end,
                        long timeout_us) {
  std::unique_lock<std::mutex> lock(d_mutex);
  const auto has_room = [this] { return d_waiting.size() < most_waiting; };
  const auto timeout = std::chrono::microseconds(timeout_us);
  if (!d_changed.wait_for(lock, timeout, has_room)) {
    return SOAPY_SDR_TIMEOUT;
  }
  const size_t taken = std::min(count, d_habits.buffer - d_filling.size());
  d_filling.insert(d_filling.end(), samples, samples + taken);
  const bool ends = is_end && taken == count;
  if (d_filling.size() == d_habits.buffer ||
      (ends && d_habits.flushes_at_end)) {
    release(ends);
  }
  return static_cast<int>(taken);
}

// With a lock.
void transmitting::release(bool is_end) {
  d_waiting.push_back({std::move(d_filling), is_end});
  d_filling.clear();
  d_changed.notify_all();
}

void transmitting::work() {
  std::unique_lock<std::mutex> lock(d_mutex);
  const auto has_work = [this] { return !d_waiting.empty() || is_under_way(); };
  while (true) {
    d_changed.wait(lock, [&] { return !d_runs || has_work(); });
    d_next =
        has_work() && d_runs ? std::max(d_next, clock_type::now()) : d_next;
    if (!has_work() || (d_drops_rest && d_next > d_stopped)) {
      return;
    }
    buffer next{{}, true};
    if (!d_waiting.empty()) {
      next = std::move(d_waiting.front());
      d_waiting.pop_front();
      d_changed.notify_all();
    }
    if (d_runs_short && !next.is_end) {
      d_runs_short = false;
      tell(SOAPY_SDR_UNDERFLOW, 0);
      continue;
    }
    d_on_their_way.push_back(std::move(next));
    pass_on(lock);
  }
}

// Whether buffers that are not silent are on their way to the air.
bool transmitting::is_under_way() const {
  return std::any_of(d_on_their_way.begin(), d_on_their_way.end(),
                     [](const buffer &each) { return !each.samples.empty(); });
}

// Put the first of the buffers on their way on the air.
void transmitting::pass_on(std::unique_lock<std::mutex> &lock) {
  const bool is_end = d_on_their_way.back().is_end;
  const buffer sent = std::move(d_on_their_way.front());
  d_on_their_way.pop_front();
  lock.unlock();
  d_air.send({{},
              d_clock.actual(d_settings.rate),
              d_clock.actual(d_settings.frequency),
              !sent.is_end,
              sent.samples});
  lock.lock();
  const std::chrono::duration<double> time(
      static_cast<double>(d_habits.buffer) / d_settings.rate);
  d_next += std::chrono::duration_cast<clock_type::duration>(time);
  d_changed.wait_until(lock, d_next, [this] { return d_drops_rest; });
  tell_of_end(lock, is_end);
}

// A device that is to go on with a burst runs out of samples at once. This one
// waits, so that no test depends on how busy the machine is.
void transmitting::tell_of_end(std::unique_lock<std::mutex> &lock,
                               bool is_end) {
  if (d_habits.told == report::none || d_drops_rest) {
    return;
  }
  const auto goes_on = [this] { return !d_runs || !d_waiting.empty(); };
  if (is_end && d_habits.told == report::burst_end) {
    tell(0, SOAPY_SDR_END_BURST);
  } else if (is_end || !d_changed.wait_for(lock, patience, goes_on)) {
    tell(SOAPY_SDR_UNDERFLOW, 0);
    if (d_habits.told == report::burst_end) {
      const std::ofstream made(d_left_on);
    }
  }
}

// With a lock.
void transmitting::tell(int result, int flags) {
  d_told.emplace_back(result, flags);
  d_changed.notify_all();
}

int transmitting::status(int &flags, long timeout_us) {
  flags = 0;
  if (d_habits.told == report::none) {
    return SOAPY_SDR_NOT_SUPPORTED;
  }
  std::unique_lock<std::mutex> lock(d_mutex);
  const auto timeout = std::chrono::microseconds(timeout_us);
  if (!d_changed.wait_for(lock, timeout, [this] { return !d_told.empty(); })) {
    return SOAPY_SDR_TIMEOUT;
  }
  const auto [result, told] = d_told.front();
  d_told.pop_front();
  flags = told;
  return result;
}
