/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "burst_regression.h"

#include <algorithm>
#include <cmath>
#include <complex>

namespace gr {
namespace samara {

namespace {

using complex = std::complex<double>;

// What least squares need of the inputs: their covariance, weighted, and their
// products with what the single tap leaves of the targets.
struct normal_equations {
    int size;
    std::vector<double> weights;
    std::vector<complex> covariance; // size rows
    std::vector<complex> products;
    double left; // energy

    complex& at(int row, int column) { return covariance[row * size + column]; }
};

struct solution {
    std::vector<complex> taps;
    double error;    // energy left, the penalty included
    double evidence; // its logarithm
};

// Later rays are weaker as a rule.
double weight(int lag) { return std::exp(-std::abs(lag) / 6.0); }

std::vector<double> weights_of(int reach)
{
    std::vector<double> weights;
    for (int lag = -reach; lag <= reach; lag++) {
        weights.push_back(weight(lag));
    }
    return weights;
}

void apply_weights(normal_equations& sums)
{
    for (int j = 0; j < sums.size; j++) {
        sums.products[j] *= sums.weights[j];
        for (int k = 0; k <= j; k++) {
            sums.at(j, k) *= sums.weights[j] * sums.weights[k];
        }
    }
}

complex single_tap(const std::vector<gr_complex>& targets,
                   const gr_complex* middle,
                   int stride)
{
    complex product;
    double energy = 0;
    for (size_t i = 0; i < targets.size(); i++) {
        const complex input(middle[i * stride]);
        product += complex(targets[i]) * std::conj(input);
        energy += std::norm(input);
    }
    return energy > 0 ? product / energy : 0;
}

complex inner_product(const gr_complex* row,
                      const gr_complex* column,
                      int stride,
                      size_t count)
{
    complex sum;
    for (size_t i = 0; i < count; i++) {
        sum +=
            std::conj(complex(row[i * stride])) * complex(column[i * stride]);
    }
    return sum;
}

// A stride further on, a sum has the same terms but for its first and a last
// one.
void add_covariance(normal_equations& sums,
                    const gr_complex* inputs,
                    int stride,
                    size_t count)
{
    const auto all = static_cast<ptrdiff_t>(count) * stride;
    const auto term = [&](ptrdiff_t row, ptrdiff_t column) {
        return std::conj(complex(inputs[row])) * complex(inputs[column]);
    };
    for (int j = 0; j < sums.size; j++) {
        for (int k = 0; k <= j; k++) {
            const int row = j - stride;
            const int column = k - stride;
            sums.at(j, k) =
                column < 0
                    ? inner_product(inputs + j, inputs + k, stride, count)
                    : sums.at(row, column) - term(row, column) +
                          term(row + all, column + all);
        }
    }
}

normal_equations equations(const std::vector<gr_complex>& targets,
                           const gr_complex* inputs,
                           int stride,
                           int reach,
                           complex tap)
{
    const int size = 2 * reach + 1;
    normal_equations sums{ size,
                           weights_of(reach),
                           std::vector<complex>(size * size),
                           std::vector<complex>(size),
                           0 };
    for (size_t i = 0; i < targets.size(); i++) {
        const gr_complex* row = inputs + i * stride;
        const complex left = complex(targets[i]) - tap * complex(row[reach]);
        sums.left += std::norm(left);
        for (int j = 0; j < size; j++) {
            sums.products[j] += std::conj(complex(row[j])) * left;
        }
    }
    add_covariance(sums, inputs, stride, targets.size());
    apply_weights(sums);
    return sums;
}

// The targets before each one are further inputs. Before the first one there
// is nothing.
normal_equations equations_with_past(const std::vector<gr_complex>& targets,
                                     const gr_complex* inputs,
                                     int stride,
                                     int reach,
                                     int past,
                                     complex tap)
{
    const int size = 2 * reach + 1 + past;
    normal_equations sums{ size,
                           weights_of(reach),
                           std::vector<complex>(size * size),
                           std::vector<complex>(size),
                           0 };
    sums.weights.resize(size, 1);
    std::vector<complex> row(size);
    for (size_t i = 0; i < targets.size(); i++) {
        const gr_complex* ticks = inputs + i * stride;
        std::copy_n(ticks, 2 * reach + 1, row.begin());
        for (size_t j = 1; j <= static_cast<size_t>(past); j++) {
            row[2 * reach + j] = i >= j ? complex(targets[i - j]) : complex();
        }
        const complex left = complex(targets[i]) - tap * row[reach];
        sums.left += std::norm(left);
        for (int j = 0; j < size; j++) {
            const complex conjugate = std::conj(row[j]);
            sums.products[j] += conjugate * left;
            for (int k = 0; k <= j; k++) {
                sums.at(j, k) += conjugate * row[k];
            }
        }
    }
    apply_weights(sums);
    return sums;
}

// Cholesky's decomposition in place; the logarithm of the determinant.
double decompose(normal_equations& sums)
{
    double logarithm = 0;
    for (int j = 0; j < sums.size; j++) {
        double pivot = sums.at(j, j).real();
        for (int k = 0; k < j; k++) {
            pivot -= std::norm(sums.at(j, k));
        }
        pivot = std::sqrt(std::max(pivot, 1e-300));
        sums.at(j, j) = pivot;
        logarithm += 2 * std::log(pivot);
        for (int i = j + 1; i < sums.size; i++) {
            complex sum = sums.at(i, j);
            for (int k = 0; k < j; k++) {
                sum -= sums.at(i, k) * std::conj(sums.at(j, k));
            }
            sums.at(i, j) = sum / pivot;
        }
    }
    return logarithm;
}

std::vector<complex> substitute(normal_equations& factors)
{
    std::vector<complex> x = factors.products;
    for (int i = 0; i < factors.size; i++) {
        for (int k = 0; k < i; k++) {
            x[i] -= factors.at(i, k) * x[k];
        }
        x[i] /= factors.at(i, i);
    }
    for (int i = factors.size - 1; i >= 0; i--) {
        for (int k = i + 1; k < factors.size; k++) {
            x[i] -= std::conj(factors.at(k, i)) * x[k];
        }
        x[i] /= factors.at(i, i);
    }
    return x;
}

solution solve(normal_equations sums, double penalty, size_t count)
{
    for (int j = 0; j < sums.size; j++) {
        sums.at(j, j) += penalty;
    }
    const double left = sums.left;
    const int size = sums.size;
    const double determinant = decompose(sums) - size * std::log(penalty);
    solution found{ substitute(sums), left, 0 };
    for (int j = 0; j < size; j++) {
        found.error -= std::real(std::conj(sums.products[j]) * found.taps[j]);
        found.taps[j] *= sums.weights[j];
    }
    found.error = std::max(found.error, 1e-12 * left);
    found.evidence =
        -static_cast<double>(count) * std::log(found.error) - determinant;
    return found;
}

// As strongly as the values give reason to; not at all, it may be.
burst_fit
fit(const normal_equations& sums, int place, complex tap, double count)
{
    solution best{ std::vector<complex>(sums.size),
                   sums.left,
                   -count * std::log(std::max(sums.left, 1e-300)) };
    double scale = 0;
    for (int j = 0; j < sums.size; j++) {
        scale += sums.covariance[j * sums.size + j].real() / sums.size;
    }
    if (scale > 0 && sums.left > 0) {
        for (const double part : { 3.0, 1.0, 0.3, 0.1, 0.03, 0.01, 0.003 }) {
            auto found = solve(sums, part * scale, static_cast<size_t>(count));
            if (found.evidence > best.evidence) {
                best = std::move(found);
            }
        }
    }
    best.taps[place] += tap;
    return { std::vector<gr_complex>(best.taps.begin(), best.taps.end()),
             static_cast<float>(best.error / count),
             best.evidence };
}

} // namespace

burst_fit fit_taps(const std::vector<gr_complex>& targets,
                   const gr_complex* inputs,
                   int stride,
                   int reach)
{
    const complex tap = single_tap(targets, inputs + reach, stride);
    return fit(equations(targets, inputs, stride, reach, tap),
               reach,
               tap,
               static_cast<double>(targets.size()));
}

burst_fit fit_taps_with_past(const std::vector<gr_complex>& targets,
                             const gr_complex* inputs,
                             int stride,
                             int reach,
                             int past)
{
    const complex tap = single_tap(targets, inputs + reach, stride);
    return fit(equations_with_past(targets, inputs, stride, reach, past, tap),
               reach,
               tap,
               static_cast<double>(targets.size()));
}

} // namespace samara
} // namespace gr
