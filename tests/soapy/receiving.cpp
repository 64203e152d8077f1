/* SPDX-License-Identifier: Apache-2.0 */
#include "receiving.h"

#include <SoapySDR/Errors.h>
#include <algorithm>
#include <cmath>
#include <thread>

namespace {

using clock_type = std::chrono::steady_clock;

constexpr double two_pi = 6.283185307179586;

// The gain at which a sample arrives as it was sent.
constexpr double unit_gain = 30;

// How long the rest of a transmission is waited for: until then no silence is
// put into it, however busy the machine is.
constexpr auto patience = std::chrono::seconds(2);

} // namespace

// Linear between two samples, of which there are four a symbol.
void hearing::put(const std::vector<sample> &sent, std::deque<sample> &heard) {
  for (const sample &next : sent) {
    for (; d_place < 1; d_place += d_step) {
      const auto share = static_cast<float>(d_place);
      const auto angle = static_cast<float>(two_pi * d_phase);
      heard.push_back((d_last + share * (next - d_last)) *
                      std::polar(1.0F, angle));
      d_phase = std::fmod(d_phase + d_turn, 1.0);
    }
    d_place -= 1;
    d_last = next;
  }
}

receiving::receiving(const profile &habits, const crystal &clock,
                     const tuned &settings, const std::string &folder,
                     const std::string &name, double noise)
    : d_habits(habits), d_clock(clock), d_settings(settings),
      d_air(folder, name), d_noise(static_cast<float>(noise)) {}

void receiving::start() {
  d_runs = true;
  d_due = clock_type::now();
}

// What is on the air while nobody listens is missed.
void receiving::stop() {
  listen(0);
  d_senders.clear();
  d_buffer.clear();
  d_given = 0;
  d_runs = false;
}

int receiving::read(sample *samples, size_t count, long timeout_us) {
  if (d_given == d_buffer.size() && !(d_runs && fill(timeout_us))) {
    return SOAPY_SDR_TIMEOUT;
  }
  if (d_overflows) {
    d_overflows = false;
    d_given = d_buffer.size();
    return SOAPY_SDR_OVERFLOW;
  }
  const size_t taken = std::min(count, d_buffer.size() - d_given);
  std::copy_n(d_buffer.begin() + static_cast<ptrdiff_t>(d_given), taken,
              samples);
  d_given += taken;
  return static_cast<int>(taken);
}

// Make the next buffer, when its time has come.
bool receiving::fill(long timeout_us) {
  listen(0);
  if (!is_due(timeout_us)) {
    return false;
  }
  listen(0);
  for (const auto end = clock_type::now() + patience;
       is_cut() && clock_type::now() < end;) {
    listen(10);
  }
  d_buffer.assign(d_habits.buffer, sample());
  d_given = 0;
  for (auto &[name, each] : d_senders) {
    add(each);
  }
  std::transform(d_buffer.begin(), d_buffer.end(), d_buffer.begin(),
                 [this](sample value) { return digitised(value); });
  return true;
}

// What has come already is not held back, so a busy machine catches up.
bool receiving::is_due(long timeout_us) {
  const std::chrono::duration<double> time(
      static_cast<double>(d_habits.buffer) / d_settings.rate);
  const auto duration = std::chrono::duration_cast<clock_type::duration>(time);
  const auto now = clock_type::now();
  if (!has_waiting() && d_due + duration > now) {
    const auto wanted = std::min<clock_type::duration>(
        d_due + duration - now, std::chrono::microseconds(timeout_us));
    std::this_thread::sleep_for(wanted);
    if (d_due + duration > clock_type::now()) {
      return false;
    }
  }
  d_due = clock_type::now();
  return true;
}

void receiving::listen(int timeout_ms) {
  piece got;
  while (d_air.receive(got, timeout_ms)) {
    take(got);
    timeout_ms = 0;
  }
}

// Of the band that the receiver samples.
void receiving::take(const piece &got) {
  const double rate = d_clock.actual(d_settings.rate);
  const double offset = got.frequency - d_clock.actual(d_settings.frequency);
  if (std::abs(offset) > rate / 2) {
    return;
  }
  auto found = d_senders.find(got.sender);
  if (found == d_senders.end() || !found->second.goes_on) {
    sender fresh{hearing(got.rate / rate, offset / rate), true, {}};
    if (found != d_senders.end()) {
      fresh.waiting = std::move(found->second.waiting);
      d_senders.erase(found);
    }
    // A transmission begins anywhere in a buffer.
    fresh.waiting.insert(fresh.waiting.end(), d_random() % d_habits.buffer,
                         sample());
    found = d_senders.emplace(got.sender, std::move(fresh)).first;
  }
  found->second.goes_on = got.goes_on;
  found->second.heard.put(got.samples, found->second.waiting);
}

bool receiving::has_waiting() const {
  return std::any_of(d_senders.begin(), d_senders.end(), [](const auto &each) {
    return !each.second.waiting.empty();
  });
}

// Whether a transmission that goes on would end within the next buffer.
bool receiving::is_cut() const {
  return std::any_of(
      d_senders.begin(), d_senders.end(), [this](const auto &each) {
        return each.second.goes_on && !each.second.waiting.empty() &&
               each.second.waiting.size() < d_habits.buffer;
      });
}

void receiving::add(sender &from) {
  const size_t count = std::min(from.waiting.size(), d_buffer.size());
  for (size_t i = 0; i < count; i++) {
    d_buffer[i] += from.waiting[i];
  }
  from.waiting.erase(from.waiting.begin(),
                     from.waiting.begin() + static_cast<ptrdiff_t>(count));
}

sample receiving::digitised(sample value) {
  std::normal_distribution<float> normal(0, d_noise / std::sqrt(2.0F));
  const auto gain =
      static_cast<float>(std::pow(10.0, (d_settings.gain - unit_gain) / 20));
  const auto scale = static_cast<float>(1 << (d_habits.bits - 1));
  const auto offset = static_cast<float>(d_habits.offset);
  const auto axis = [=](float amplitude) {
    const float steps = std::round((amplitude * gain + offset) * scale);
    return std::clamp(steps, -scale, scale - 1) / scale;
  };
  value += sample(normal(d_random), normal(d_random));
  return {axis(value.real()), axis(value.imag())};
}
