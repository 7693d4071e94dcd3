// Raises numbers to powers, with the same result on every platform. Those of libm differ.
#pragma once

namespace strata::jinja {

/// Returns `base` to the power of `exponent`, with the special values of C's pow (ISO C17,
/// F.10.4.4). The result is the closest double in all but very rare cases.
double power(double base, double exponent);

}  // namespace strata::jinja
