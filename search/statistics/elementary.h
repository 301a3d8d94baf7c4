// exp, log and the normal distribution in plain double arithmetic.
//
// What libm gives differs in the last bit by version and CPU, and figures of hits have to be the same bytes everywhere:
// these use additions, products, quotients and square roots alone, which IEEE 754 rounds in one way, and are compiled
// without contraction (CMakeLists.txt). Relative errors are below 5e-16, below 1e-12 where said so;
// tests/search/test_statistics_elementary.cpp holds them to that.
#pragma once

namespace alnsmith::search {

// e^x: 0 below -745.2, infinite above 709.8; a subnormal result has an absolute error of its last bit.
double exponential(double x);

// The natural logarithm of a positive, finite number.
double logarithm(double x);

// 1 - e^-x for x >= 0, without cancellation near 0.
double one_minus_exponential(double x);

// The standard normal density. Relative error below 1e-12.
double normal_density(double x);

// The standard normal distribution function Phi(x). Relative error below 1e-12.
double normal_distribution(double x);

// The integral of Phi from minus infinity to x, which is x * Phi(x) + density(x); positive where it is no smaller than
// doubles go. Relative error below 1e-12.
double normal_integral(double x);

}  // namespace alnsmith::search
