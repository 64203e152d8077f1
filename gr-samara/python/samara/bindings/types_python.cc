/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <gnuradio/samara/bit_format.h>
#include <gnuradio/samara/ple_role.h>
#include <pybind11/pybind11.h>

namespace py = pybind11;

void bind_types(py::module& m)
{
    using gr::samara::bit_format;
    using gr::samara::ple_role;

    py::enum_<bit_format>(m, "bit_format", "How a byte holds bits.")
        .value("UNPACKED", bit_format::UNPACKED)
        .value("MSB_FIRST", bit_format::MSB_FIRST)
        .value("LSB_FIRST", bit_format::LSB_FIRST);
    py::enum_<ple_role>(m, "ple_role", "Which end of a link a block is.")
        .value("ENCRYPT", ple_role::ENCRYPT)
        .value("DECRYPT", ple_role::DECRYPT);
}
