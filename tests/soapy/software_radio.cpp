/* SPDX-License-Identifier: Apache-2.0
 *
 * A radio of software for the tests, as a module for SoapySDR. It behaves as
 * known devices and their drivers do; devices with the same air hear each
 * other, also those of other processes. Arguments:
 *
 *   driver=software  this module
 *   profile=NAME     hackrf, rtlsdr, lime, plutosdr or b200
 *   air=DIRECTORY    the air
 *   serial=NAME      of the device; two programs cannot open the same one
 *   ppm=NUMBER       error of its crystal
 *   noise=NUMBER     root mean square of the noise that it receives
 *   rate_error=SHARE by which it takes another sample rate than it is told
 *
 * While a file SERIAL.FAULT is in the directory, the device has a fault:
 *
 *   unplugged        it is gone
 *   stuck            it takes and gives no samples
 *   overflow         it loses a buffer that it received, once
 *   underrun         it loses a buffer that it was to send, once
 */
#include "receiving.h"
#include "transmitting.h"

#include <SoapySDR/Device.hpp>
#include <SoapySDR/Formats.hpp>
#include <SoapySDR/Registry.hpp>
#include <chrono>
#include <fcntl.h>
#include <memory>
#include <stdexcept>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

namespace {

using kwargs = SoapySDR::Kwargs;

std::string value_of(const kwargs &arguments, const std::string &name,
                     const std::string &otherwise) {
  const auto found = arguments.find(name);
  return found == arguments.end() ? otherwise : found->second;
}

double number_of(const kwargs &arguments, const std::string &name) {
  return std::stod(value_of(arguments, name, "0"));
}

// A device is open in one program at a time.
class claim {
public:
  explicit claim(const std::string &path)
      : d_file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    if (d_file < 0 || ::flock(d_file, LOCK_EX | LOCK_NB) != 0) {
      ::close(d_file);
      throw std::runtime_error("unable to open the device");
    }
  }
  ~claim() { ::close(d_file); }
  claim(const claim &) = delete;
  claim &operator=(const claim &) = delete;

private:
  const int d_file;
};

class software_radio : public SoapySDR::Device {
public:
  explicit software_radio(const kwargs &arguments)
      : d_habits(profile_of(value_of(arguments, "profile", "lime"))),
        d_clock{number_of(arguments, "ppm") * 1e-6},
        d_folder(value_of(arguments, "air", ".")),
        d_name(value_of(arguments, "serial", d_habits.name)),
        d_rate_error(number_of(arguments, "rate_error")),
        d_noise(number_of(arguments, "noise")), d_claim(place_of("lock")) {
    if (has("unplugged")) {
      throw std::runtime_error("no device found");
    }
  }

  std::string getDriverKey() const override { return "software"; }
  std::string getHardwareKey() const override { return d_habits.name; }

  size_t getNumChannels(const int direction) const override {
    return direction == SOAPY_SDR_RX || d_habits.transmits ? 1 : 0;
  }
  bool getFullDuplex(const int, const size_t) const override {
    return d_habits.full_duplex;
  }

  // --- Settings ------------------------------------------------------------

  void setSampleRate(const int direction, const size_t,
                     const double rate) override {
    bool fits = false;
    for (const auto &range : d_habits.rates) {
      fits |= rate >= range.minimum() && rate <= range.maximum();
    }
    if (!fits) {
      throw std::runtime_error("setSampleRate: unsupported rate");
    }
    settings(direction).rate = d_habits.coerced(rate) * (1 + d_rate_error);
    setBandwidth(direction, 0, rate);
  }
  double getSampleRate(const int direction, const size_t) const override {
    return settings(direction).rate;
  }
  SoapySDR::RangeList getSampleRateRange(const int,
                                         const size_t) const override {
    return d_habits.rates;
  }

  void setFrequency(const int direction, const size_t, const double frequency,
                    const kwargs &) override {
    settings(direction).frequency = nearest(d_habits.frequencies, frequency);
  }
  double getFrequency(const int direction, const size_t) const override {
    return settings(direction).frequency;
  }
  SoapySDR::RangeList getFrequencyRange(const int,
                                        const size_t) const override {
    return {d_habits.frequencies};
  }

  void setGain(const int direction, const size_t, const double gain) override {
    settings(direction).gain = nearest(d_habits.gains, gain);
  }
  double getGain(const int direction, const size_t) const override {
    return settings(direction).gain;
  }
  SoapySDR::Range getGainRange(const int, const size_t) const override {
    return d_habits.gains;
  }

  void setBandwidth(const int direction, const size_t,
                    const double bandwidth) override {
    settings(direction).bandwidth =
        d_habits.bandwidths.empty()
            ? bandwidth
            : nearest_of(d_habits.bandwidths, bandwidth);
  }
  double getBandwidth(const int direction, const size_t) const override {
    return settings(direction).bandwidth;
  }

  // --- Streams -------------------------------------------------------------

  std::vector<std::string> getStreamFormats(const int,
                                            const size_t) const override {
    return {SOAPY_SDR_CF32};
  }

  SoapySDR::Stream *setupStream(const int direction, const std::string &format,
                                const std::vector<size_t> &,
                                const kwargs &) override {
    if (format != SOAPY_SDR_CF32 || getNumChannels(direction) == 0) {
      throw std::runtime_error("setupStream: not supported");
    }
    if (direction == SOAPY_SDR_RX) {
      d_receiving = std::make_unique<receiving>(d_habits, d_clock, d_rx,
                                                d_folder, d_name, d_noise);
      return rx_stream();
    }
    d_transmitting = std::make_unique<transmitting>(d_habits, d_clock, d_tx,
                                                    d_folder, d_name);
    return tx_stream();
  }

  void closeStream(SoapySDR::Stream *stream) override {
    if (stream == rx_stream()) {
      d_receiving.reset();
    } else {
      d_transmitting.reset();
    }
  }

  size_t getStreamMTU(SoapySDR::Stream *) const override {
    return d_habits.buffer;
  }

  // Half duplex: what begins ends the other direction.
  int activateStream(SoapySDR::Stream *stream, const int, const long long,
                     const size_t) override {
    if (stream == rx_stream()) {
      if (!d_habits.full_duplex && d_transmitting) {
        d_transmitting->stop();
      }
      d_receiving->start();
    } else {
      if (!d_habits.full_duplex && d_receiving) {
        d_receiving->stop();
      }
      d_transmitting->start();
    }
    return 0;
  }

  int deactivateStream(SoapySDR::Stream *stream, const int,
                       const long long) override {
    if (stream == rx_stream()) {
      d_receiving->stop();
    } else {
      d_transmitting->stop();
    }
    return 0;
  }

  int readStream(SoapySDR::Stream *, void *const *buffers, const size_t count,
                 int &flags, long long &, const long timeout_us) override {
    flags = 0;
    if (const int error = fault(timeout_us)) {
      return error;
    }
    if (is_wanted("overflow")) {
      d_receiving->overflow();
    }
    return d_receiving->read(static_cast<sample *>(buffers[0]), count,
                             timeout_us);
  }

  int writeStream(SoapySDR::Stream *, const void *const *buffers,
                  const size_t count, int &flags, const long long,
                  const long timeout_us) override {
    if (const int error = fault(timeout_us)) {
      return error;
    }
    if (is_wanted("underrun")) {
      d_transmitting->run_short();
    }
    return d_transmitting->write(static_cast<const sample *>(buffers[0]), count,
                                 (flags & SOAPY_SDR_END_BURST) != 0,
                                 timeout_us);
  }

  int readStreamStatus(SoapySDR::Stream *, size_t &channels, int &flags,
                       long long &, const long timeout_us) override {
    channels = 1;
    if (const int error = fault(timeout_us)) {
      return error;
    }
    return d_transmitting->status(flags, timeout_us);
  }

private:
  SoapySDR::Stream *rx_stream() const {
    return reinterpret_cast<SoapySDR::Stream *>(1);
  }
  SoapySDR::Stream *tx_stream() const {
    return reinterpret_cast<SoapySDR::Stream *>(2);
  }

  tuned &settings(int direction) {
    return direction == SOAPY_SDR_RX ? d_rx : d_tx;
  }
  const tuned &settings(int direction) const {
    return direction == SOAPY_SDR_RX ? d_rx : d_tx;
  }

  std::string place_of(const std::string &what) const {
    return d_folder + "/" + d_name + "." + what;
  }
  bool has(const std::string &fault) const {
    return ::access(place_of(fault).c_str(), F_OK) == 0;
  }
  bool is_wanted(const std::string &fault) const {
    return ::unlink(place_of(fault).c_str()) == 0;
  }

  int fault(long timeout_us) const {
    if (has("unplugged")) {
      return SOAPY_SDR_STREAM_ERROR;
    }
    if (has("stuck")) {
      std::this_thread::sleep_for(std::chrono::microseconds(timeout_us));
      return SOAPY_SDR_TIMEOUT;
    }
    return 0;
  }

  const profile &d_habits;
  const crystal d_clock;
  const std::string d_folder;
  const std::string d_name;
  const double d_rate_error;
  const double d_noise;
  const claim d_claim;
  tuned d_rx;
  tuned d_tx;
  std::unique_ptr<receiving> d_receiving;
  std::unique_ptr<transmitting> d_transmitting;
};

// It is there for those who name its air.
SoapySDR::KwargsList find(const kwargs &arguments) {
  if (arguments.count("air") == 0) {
    return {};
  }
  kwargs found = arguments;
  found["label"] = value_of(arguments, "profile", "lime") + " of software";
  return {found};
}

SoapySDR::Device *make(const kwargs &arguments) {
  return new software_radio(arguments);
}

const SoapySDR::Registry registered("software", &find, &make,
                                    SOAPY_SDR_ABI_VERSION);

} // namespace
