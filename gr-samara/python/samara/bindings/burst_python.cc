/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_modulator.h"
#include "burst_receiver.h"
#include "docstrings.h"
#include <gnuradio/samara/burst_rx.h>
#include <gnuradio/samara/burst_tx.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace py = pybind11;

using namespace gr::samara;

namespace {

template <typename T>
using c_array = py::array_t<T, py::array::c_style | py::array::forcecast>;

template <typename T>
py::array_t<T> array_of(const std::vector<T>& values)
{
    return py::array_t<T>(static_cast<py::ssize_t>(values.size()),
                          values.data());
}

template <typename T>
std::vector<T> vector_of(const c_array<T>& values)
{
    return std::vector<T>(values.data(), values.data() + values.size());
}

void bind_modulations(py::module& m)
{
    py::enum_<burst_modulation> values(
        m, "burst_modulation", "How a burst carries its bits.");
    for (const burst_modulation_info& row : burst_modulations()) {
        values.value(row.identifier.c_str(), row.modulation);
    }

    py::class_<burst_modulation_info>(
        m, "burst_modulation_info", "A row of the table of modulations.")
        .def_readonly("modulation", &burst_modulation_info::modulation)
        .def_readonly("identifier", &burst_modulation_info::identifier)
        .def_readonly("name", &burst_modulation_info::name)
        .def_readonly("label", &burst_modulation_info::label)
        .def_readonly("bits_per_symbol",
                      &burst_modulation_info::bits_per_symbol);
    m.def("burst_modulations",
          &burst_modulations,
          "The rows of the table of modulations.");
}

void bind_waveform(py::module& m)
{
    py::class_<burst_waveform>(
        m, "burst_waveform", "What both ends know of a burst.")
        .def(py::init<burst_modulation, size_t>(),
             py::arg("modulation"),
             py::arg("payload_bits"))
        .def("samples", &burst_waveform::samples)
        .def("bits_per_symbol", &burst_waveform::bits_per_symbol)
        .def("payload_symbols", &burst_waveform::payload_symbols)
        .def("preamble_symbols_on_air",
             &burst_waveform::preamble_symbols_on_air)
        .def("preamble_observations", &burst_waveform::preamble_observations);
}

void bind_modulator(py::module& m)
{
    py::class_<burst_modulator>(
        m, "burst_modulator", "Bits of payloads to samples of bursts.")
        .def(py::init<burst_modulation, size_t, float>(),
             py::arg("modulation"),
             py::arg("payload_bits"),
             py::arg("amplitude") = 0.25F)
        .def_property_readonly(
            "samples",
            [](const burst_modulator& self) {
                return self.waveform().samples();
            },
            "Samples of a burst.")
        .def_property_readonly(
            "half_span",
            [](const burst_modulator& self) {
                return self.waveform().half_span();
            },
            "Samples of a burst before the middle of its first pulse.")
        .def_property_readonly(
            "elements_per_burst",
            [](const burst_modulator& self) {
                return self.waveform().observations();
            },
            "Symbols (with DSSS: chips) of a burst, the preamble included.")
        .def_property_readonly(
            "preamble_elements",
            [](const burst_modulator& self) {
                return self.waveform().preamble_observations();
            },
            "How many of these are the preamble.")
        .def(
            "modulate",
            [](const burst_modulator& self, const c_array<uint8_t>& bits) {
                return array_of(self.modulate(vector_of(bits)));
            },
            py::arg("bits"),
            "Samples of the burst with these bits, one a byte.")
        .def(
            "elements",
            [](const burst_modulator& self, const c_array<uint8_t>& bits) {
                return array_of(self.elements(vector_of(bits)));
            },
            py::arg("bits"),
            "Symbols (with DSSS: chips) of the burst with these bits.")
        .def(
            "shape",
            [](const burst_modulator& self, const c_array<gr_complex>& values) {
                return array_of(self.shape(vector_of(values)));
            },
            py::arg("elements"),
            "Samples of the burst with these elements.");
}

void bind_receiver(py::module& m)
{
    py::class_<burst_reception>(
        m, "burst_reception", "What a burst carried and how it came.")
        .def_readonly("sample", &burst_reception::sample)
        .def_readonly("offset", &burst_reception::frequency)
        .def_readonly("clock", &burst_reception::clock)
        .def_readonly("snr_db", &burst_reception::snr)
        .def_readonly("echo_symbols", &burst_reception::echo)
        .def_property_readonly("soft",
                               [](const burst_reception& self) {
                                   return array_of(self.soft_bits);
                               })
        .def_property_readonly("symbols", [](const burst_reception& self) {
            return array_of(self.symbols);
        });

    py::class_<burst_receiver>(
        m, "burst_receiver", "Samples of a stream to soft bits of its bursts.")
        .def(py::init<burst_modulation, size_t, double, double>(),
             py::arg("modulation"),
             py::arg("payload_bits"),
             py::arg("highest_offset") = burst_detector::highest_frequency,
             py::arg("share") = burst_credit::unlimited,
             "A share bounds the work on bursts over bursts: samples that are "
             "worked on for each of the stream, at least 1.")
        .def_static("real_time_share",
                    &burst_receiver::real_time_share,
                    py::arg("modulation"),
                    py::arg("highest_offset") =
                        burst_detector::highest_frequency,
                    "The share that burst_rx has.")
        .def_property_readonly(
            "skipped",
            &burst_receiver::skipped,
            "Bursts that were not demodulated, or not taken out for those "
            "below them, because of the share.")
        .def(
            "feed",
            [](burst_receiver& self, const c_array<gr_complex>& samples) {
                const py::gil_scoped_release release;
                return self.feed(samples.data(), samples.size());
            },
            py::arg("samples"),
            "The bursts that end in what was handed over until now.")
        .def("finish",
             &burst_receiver::finish,
             py::call_guard<py::gil_scoped_release>(),
             "The complete bursts that are left at the end of the stream.");
}

} // namespace

void bind_bursts(py::module& m)
{
    bind_modulations(m);

    py::class_<burst_tx,
               gr::sync_block,
               gr::block,
               gr::basic_block,
               std::shared_ptr<burst_tx>>(m, "burst_tx", docs::burst_tx)
        .def(py::init(&burst_tx::make),
             py::arg("modulation"),
             py::arg("payload_bits"),
             py::arg("amplitude") = 0.25F,
             py::arg("gap") = 0,
             py::arg("length_tag") = "packet_len");

    py::class_<burst_rx,
               gr::sync_block,
               gr::block,
               gr::basic_block,
               std::shared_ptr<burst_rx>>(m, "burst_rx", docs::burst_rx)
        .def(py::init(&burst_rx::make),
             py::arg("modulation"),
             py::arg("payload_bits"),
             py::arg("highest_offset") = 0.126);

    bind_waveform(m);
    bind_modulator(m);
    bind_receiver(m);
}
