/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "docstrings.h"
#include <gnuradio/samara/frame_codec.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <stdexcept>

namespace py = pybind11;

using gr::samara::frame_check;
using gr::samara::frame_cipher;
using gr::samara::frame_code;
using gr::samara::frame_codec;

namespace {

template <typename T>
using c_array = py::array_t<T, py::array::c_style | py::array::forcecast>;
using byte_array = py::array_t<uint8_t>;
using decoder = void (frame_codec::*)(
    const float*, size_t, size_t, const uint64_t*, uint8_t*, uint8_t*);

byte_array encode(frame_codec& codec,
                  const c_array<uint8_t>& payloads,
                  uint64_t first_counter)
{
    if (payloads.ndim() != 2) {
        throw std::invalid_argument("payloads are an array of frames by bytes");
    }
    const auto count = static_cast<size_t>(payloads.shape(0));
    const auto size = static_cast<size_t>(payloads.shape(1));
    byte_array bits({ count, codec.coded_bits(size) });
    uint8_t* out = bits.mutable_data();
    const py::gil_scoped_release release;
    codec.encode(payloads.data(), size, count, first_counter, out);
    return bits;
}

size_t payload_size_of(const frame_codec& codec,
                       size_t coded_bits,
                       std::optional<size_t> wanted)
{
    const auto size = wanted ? wanted : codec.payload_size(coded_bits);
    if (!size || codec.coded_bits(*size) != coded_bits) {
        throw std::invalid_argument("no payload has " +
                                    std::to_string(coded_bits) + " coded bits");
    }
    return *size;
}

py::tuple decode(decoder method,
                 frame_codec& codec,
                 const c_array<float>& soft,
                 const c_array<uint64_t>& counters,
                 std::optional<size_t> payload_size)
{
    if (soft.ndim() != 2 || counters.ndim() != 1 ||
        counters.shape(0) != soft.shape(0)) {
        throw std::invalid_argument("soft values are an array of frames by "
                                    "bits, with a counter for each frame");
    }
    const auto count = static_cast<size_t>(soft.shape(0));
    const size_t size = payload_size_of(
        codec, static_cast<size_t>(soft.shape(1)), payload_size);
    byte_array payloads({ count, size });
    byte_array good(count);
    uint8_t* out = payloads.mutable_data();
    uint8_t* good_out = good.mutable_data();
    {
        const py::gil_scoped_release release;
        (codec.*
         method)(soft.data(), size, count, counters.data(), out, good_out);
    }
    return py::make_tuple(payloads, good.attr("astype")("bool"));
}

} // namespace

void bind_frame_codec(py::module& m)
{
    py::enum_<frame_code>(m, "frame_code", "The channel code of a frame.")
        .value("NONE", frame_code::NONE)
        .value("CONVOLUTIONAL", frame_code::CONVOLUTIONAL)
        .value("POLAR", frame_code::POLAR)
        .value("TAILBITING", frame_code::TAILBITING);
    py::enum_<frame_check>(m, "frame_check", "What a payload is checked with.")
        .value("TAG", frame_check::TAG)
        .value("CRC32", frame_check::CRC32);
    py::enum_<frame_cipher>(m, "frame_cipher", "How coded bits are encrypted.")
        .value("PLE", frame_cipher::PLE)
        .value("NONE", frame_cipher::NONE);

    py::class_<frame_codec, frame_codec::sptr>(
        m, "frame_codec", docs::frame_codec)
        .def(py::init(&frame_codec::make),
             py::arg("code") = frame_code::CONVOLUTIONAL,
             py::arg("check") = frame_check::TAG,
             py::arg("key") = "",
             py::arg("direction") = 0,
             py::arg("link_id") = 0,
             py::arg("cipher") = frame_cipher::PLE)
        .def("coded_bits", &frame_codec::coded_bits, py::arg("payload_size"))
        .def("payload_size", &frame_codec::payload_size, py::arg("coded_bits"))
        .def("encode",
             &encode,
             py::arg("payloads"),
             py::arg("first_counter"),
             "uint8 [frames, bytes] to bits, uint8 [frames, coded_bits].")
        .def(
            "decode",
            [](frame_codec& codec,
               const c_array<float>& soft,
               const c_array<uint64_t>& counters,
               std::optional<size_t> payload_size) {
                return decode(
                    &frame_codec::decode, codec, soft, counters, payload_size);
            },
            py::arg("soft"),
            py::arg("counters"),
            py::arg("payload_size") = py::none(),
            "float32 [frames, coded_bits], positive for bit 1, and uint64 "
            "[frames] to payloads, uint8 [frames, bytes], zeros where the "
            "check fails, and whether it holds, bool [frames].")
        .def(
            "decode_unverified",
            [](frame_codec& codec,
               const c_array<float>& soft,
               const c_array<uint64_t>& counters,
               std::optional<size_t> payload_size) {
                return decode(&frame_codec::decode_unverified,
                              codec,
                              soft,
                              counters,
                              payload_size);
            },
            py::arg("soft"),
            py::arg("counters"),
            py::arg("payload_size") = py::none(),
            "The same with the payloads that the check refused, to count bit "
            "errors in.")
        .def_property_readonly("cipher_seconds",
                               &frame_codec::cipher_seconds,
                               "Spent in the cipher since it was made.");
}
