/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef INCLUDED_SAMARA_BURST_CREDIT_H
#define INCLUDED_SAMARA_BURST_CREDIT_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace gr {
namespace samara {

/*!
 * \brief What a receiver may still do about bursts over bursts, in samples.
 *
 * Each sample of the stream that is searched for the first time brings a share,
 * up to a most; each one that is worked on again spends 1. Nothing is taken
 * from a clock, so the same stream gives the same bursts on any machine.
 */
class burst_credit
{
public:
    static constexpr double unlimited = std::numeric_limits<double>::infinity();

    //! \param most samples, also at the beginning; none count if unlimited
    burst_credit(double share, double most)
        : d_share(share),
          d_most(std::isinf(share) ? unlimited : most),
          d_samples(d_most)
    {
    }

    //! The stream was searched up to here, again perhaps.
    void pass(int64_t until)
    {
        if (until > d_passed) {
            const auto samples = static_cast<double>(until - d_passed);
            d_samples = std::min(d_samples + d_share * samples, d_most);
            d_passed = until;
        }
    }

    bool covers(double samples) const { return samples <= d_samples; }

    void spend(double samples) { d_samples -= samples; }

private:
    const double d_share;
    const double d_most;
    double d_samples;
    int64_t d_passed = 0;
};

} // namespace samara
} // namespace gr

#endif /* INCLUDED_SAMARA_BURST_CREDIT_H */
