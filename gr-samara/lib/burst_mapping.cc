/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_mapping.h"

#include <algorithm>
#include <cmath>

namespace gr {
namespace samara {

namespace {

const float inner = std::sqrt(0.1F); // inner level of an axis of 16-QAM
const float side = std::sqrt(0.5F);  // level of an axis of QPSK

float sign(uint8_t bit) { return (bit & 1U) ? 1.0F : -1.0F; }

// ln cosh(x) to within 0.2: a parabola, and its tangents.
inline float log_cosh(float x)
{
    const float size = std::fabs(x);
    const float bent = std::min(size, 1.0F);
    return bent * (size - bent / 2);
}

// Squared distance from the nearest of the four levels of an axis of 16-QAM.
inline float level_distance(float x)
{
    const float folded = std::fabs(std::fabs(x) - 2 * inner) - inner;
    return folded * folded;
}

float nearest_level(float x)
{
    return std::copysign(std::fabs(x) < 2 * inner ? inner : 3 * inner, x);
}

float expected_level(float x, float noise)
{
    float weighed = 0;
    float sum = 0;
    for (const float level : { -3 * inner, -inner, inner, 3 * inner }) {
        // Over the nearest level, which keeps the sum from being 0.
        const float likelihood =
            std::exp((level_distance(x) - (x - level) * (x - level)) / noise);
        weighed += likelihood * level;
        sum += likelihood;
    }
    return weighed / sum;
}

// Real and imaginary part of an observation that is turned back by a phase.
struct turned {
    gr_complex observation;
    const phase_grid& grid;

    float real(int i) const
    {
        return observation.real() * grid.cosine[i] +
               observation.imag() * grid.sine[i];
    }
    float imaginary(int i) const
    {
        return observation.imag() * grid.cosine[i] -
               observation.real() * grid.sine[i];
    }
};

class bpsk final : public burst_mapping
{
public:
    gr_complex point(const uint8_t* bits) const override
    {
        return sign(bits[0]);
    }

    gr_complex nearest(gr_complex observation) const override
    {
        return std::copysign(1.0F, observation.real());
    }

    gr_complex expected(gr_complex observation, float noise) const override
    {
        return std::tanh(2 * observation.real() / noise);
    }

    void append_soft_bits(gr_complex observation,
                          float noise,
                          std::vector<float>& soft) const override
    {
        soft.push_back(4 * observation.real() / noise);
    }

    int period() const override { return phase_grid::size / 2; }

    void add_likelihoods(gr_complex observation,
                         float noise,
                         const phase_grid& grid,
                         float* sums) const override
    {
        const turned to{ observation, grid };
        const float scale = 2 / noise;
        for (int i = 0; i < phase_grid::size / 2; i++) {
            sums[i] += log_cosh(scale * to.real(i));
        }
    }
};

class qpsk final : public burst_mapping
{
public:
    gr_complex point(const uint8_t* bits) const override
    {
        return gr_complex(sign(bits[0]), sign(bits[1])) * side;
    }

    gr_complex nearest(gr_complex observation) const override
    {
        return { std::copysign(side, observation.real()),
                 std::copysign(side, observation.imag()) };
    }

    gr_complex expected(gr_complex observation, float noise) const override
    {
        const float scale = 2 * side / noise;
        return { side * std::tanh(scale * observation.real()),
                 side * std::tanh(scale * observation.imag()) };
    }

    void append_soft_bits(gr_complex observation,
                          float noise,
                          std::vector<float>& soft) const override
    {
        soft.push_back(4 * side * observation.real() / noise);
        soft.push_back(4 * side * observation.imag() / noise);
    }

    int period() const override { return phase_grid::size / 4; }

    void add_likelihoods(gr_complex observation,
                         float noise,
                         const phase_grid& grid,
                         float* sums) const override
    {
        const turned to{ observation, grid };
        const float scale = 2 * side / noise;
        for (int i = 0; i < phase_grid::size / 4; i++) {
            sums[i] += log_cosh(scale * to.real(i)) +
                       log_cosh(scale * to.imaginary(i));
        }
    }
};

// Gray code: two bits for each axis, the sign and whether the level is inner.
class qam16 final : public burst_mapping
{
public:
    gr_complex point(const uint8_t* bits) const override
    {
        const gr_complex whole(sign(bits[0]) * (2 - sign(bits[1])),
                               sign(bits[2]) * (2 - sign(bits[3])));
        return whole * inner;
    }

    gr_complex nearest(gr_complex observation) const override
    {
        return { nearest_level(observation.real()),
                 nearest_level(observation.imag()) };
    }

    gr_complex expected(gr_complex observation, float noise) const override
    {
        return { expected_level(observation.real(), noise),
                 expected_level(observation.imag(), noise) };
    }

    void append_soft_bits(gr_complex observation,
                          float noise,
                          std::vector<float>& soft) const override
    {
        append_axis(observation.real(), noise, soft);
        append_axis(observation.imag(), noise, soft);
    }

    int period() const override { return phase_grid::size / 4; }

    void add_likelihoods(gr_complex observation,
                         float noise,
                         const phase_grid& grid,
                         float* sums) const override
    {
        const turned to{ observation, grid };
        const float scale = 1 / noise;
        for (int i = 0; i < phase_grid::size / 4; i++) {
            sums[i] -= scale * (level_distance(to.real(i)) +
                                level_distance(to.imaginary(i)));
        }
    }

private:
    // Of the sums of exponentials, only the largest term is used (max-log).
    static void append_axis(float x, float noise, std::vector<float>& soft)
    {
        const float size = std::fabs(x);
        const float first =
            size < 2 * inner ? 4 * inner * size : 8 * inner * (size - inner);
        soft.push_back(std::copysign(first, x) / noise);
        soft.push_back(4 * inner * (2 * inner - size) / noise);
    }
};

} // namespace

const burst_mapping& bpsk_mapping()
{
    static const bpsk mapping;
    return mapping;
}

const burst_mapping& qpsk_mapping()
{
    static const qpsk mapping;
    return mapping;
}

const burst_mapping& qam16_mapping()
{
    static const qam16 mapping;
    return mapping;
}

} // namespace samara
} // namespace gr
