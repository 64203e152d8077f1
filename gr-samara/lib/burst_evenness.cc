/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_evenness.h"

#include "burst_share.h"
#include <algorithm>

namespace gr {
namespace samara {

burst_spectrum::burst_spectrum(const std::vector<gr_complex>& reference)
    : d_transform(static_cast<int>(reference.size())),
      d_reference(reference.size()),
      d_part(reference.size())
{
    std::copy(reference.begin(), reference.end(), d_transform.get_inbuf());
    d_transform.execute();
    std::copy_n(
        d_transform.get_outbuf(), d_reference.size(), d_reference.begin());
    cut();
}

// From the lowest frequency, which is in the middle, to the highest.
void burst_spectrum::cut()
{
    const size_t size = d_reference.size();
    const float whole = energy(d_reference);
    float below = 0;
    for (size_t i = 0; i < size; i++) {
        const size_t place = (i + size / 2) % size;
        const float own = std::norm(d_reference[place]);
        const float middle = (below + own / 2) / whole;
        d_part[place] = std::min(static_cast<int>(middle * parts), parts - 1);
        below += own;
    }
}

float burst_spectrum::evenness_of(const std::vector<gr_complex>& heard)
{
    std::copy(heard.begin(), heard.end(), d_transform.get_inbuf());
    d_transform.execute();
    std::array<gr_complex, parts> products{};
    for (size_t i = 0; i < d_reference.size(); i++) {
        products[d_part[i]] +=
            d_transform.get_outbuf()[i] * std::conj(d_reference[i]);
    }
    return evenness(products);
}

} // namespace samara
} // namespace gr
