// Tests the arithmetic of magnitudes with random limbs and with the rare branches of the division.
#include "jinja/limbs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace strata::jinja {
namespace {

using Numbers = std::vector<uint32_t>;

Numbers trimmedCopy(Limbs limbs) {
  const Limbs rest = trimmed(limbs);
  return {rest.begin(), rest.end()};
}

Numbers product(const Numbers& left, const Numbers& right) {
  Numbers out(left.size() + right.size());
  multiplyLimbs(out.data(), left, right);
  return trimmedCopy(out);
}

Numbers sum(const Numbers& left, const Numbers& right) {
  const bool swaps = left.size() < right.size();
  Numbers out(std::max(left.size(), right.size()) + 1);
  combineLimbs(out.data(), swaps ? right : left, swaps ? left : right, false);
  return trimmedCopy(out);
}

struct Division {
  Numbers quotient;
  Numbers rest;
};

Division divide(const Numbers& left, Numbers right) {
  Numbers rest = left;
  rest.resize(std::max(left.size(), right.size()) + 1);
  Numbers quotient(rest.size() - right.size());
  divideLimbs(quotient.data(), rest, right);
  return {trimmedCopy(quotient), trimmedCopy(rest)};
}

// Limbs with long runs of equal bits, which make estimates of a quotient wrong.
Numbers randomNumbers(std::mt19937& random, size_t most) {
  constexpr uint32_t kEdges[] = {0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF};
  Numbers out(random() % most + 1);
  for (uint32_t& limb : out) {
    limb = random() % 2 == 0 ? static_cast<uint32_t>(random()) : kEdges[random() % 6];
  }
  out = trimmedCopy(out);
  return out.empty() ? Numbers{1} : out;
}

TEST(Limbs, DivideIntoAQuotientAndASmallerRest) {
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    const Numbers left = randomNumbers(random, 12);
    const Numbers right = randomNumbers(random, 8);
    const Division result = divide(left, right);
    ASSERT_EQ(compareLimbs(result.rest, right), -1) << i;
    ASSERT_EQ(sum(product(result.quotient, right), result.rest), left) << i;
  }
}

// The examples of Hacker's Delight, figure 9-1, for which the estimate is too large.
TEST(Limbs, CorrectAnEstimateThatIsTooLarge) {
  const Division once = divide({0, 0, 0x80000000, 0x7FFFFFFF}, {1, 0, 0x80000000});
  EXPECT_EQ(once.quotient, (Numbers{0xFFFFFFFE}));
  EXPECT_EQ(once.rest, (Numbers{2, 0xFFFFFFFF, 0x7FFFFFFF}));
  const Division twice = divide({0, 0xFFFFFFFE, 0x80000000}, {0xFFFFFFFF, 0x80000000});
  EXPECT_EQ(twice.quotient, (Numbers{0xFFFFFFFF}));
  EXPECT_EQ(twice.rest, (Numbers{0xFFFFFFFF, 0x7FFFFFFF}));
}

TEST(Limbs, SubtractWhatWasAdded) {
  std::mt19937 random(11);
  for (int i = 0; i < 2000; ++i) {
    const Numbers left = randomNumbers(random, 9);
    const Numbers right = randomNumbers(random, 9);
    const Numbers both = sum(left, right);
    Numbers rest(both.size() + 1, 7);
    combineLimbs(rest.data(), both, right, true);
    ASSERT_EQ(trimmedCopy(rest), left) << i;
    ASSERT_EQ(product(left, right), product(right, left)) << i;
  }
}

TEST(Limbs, RoundToTheNearestDoubleAndTiesToEven) {
  EXPECT_EQ(toDouble(Limbs()).value, 0);
  EXPECT_EQ(toDouble(Numbers{0, 0x200000}).value, 9007199254740992.0);                 // 2^53
  EXPECT_EQ(toDouble(Numbers{1, 0x200000}).value, 9007199254740992.0);                 // a tie
  EXPECT_EQ(toDouble(Numbers{3, 0x200000}).value, 9007199254740996.0);                 // a tie
  EXPECT_EQ(toDouble(Numbers{0xFFFFFFFF, 0xFFFFFFFF}).value, 18446744073709551616.0);  // rounds up
  EXPECT_EQ(toDouble(Numbers{1, 0, 0x400, 0x80000000}).value,
            std::ldexp(1 + std::ldexp(1, -52), 127));
  EXPECT_EQ(toDouble(Numbers{0, 0, 0x400, 0x80000000}).value, std::ldexp(1, 127));
  EXPECT_EQ(toDouble(Numbers{0, 0, 0x400, 0x80000000}, 0, true).value,
            std::ldexp(1 + std::ldexp(1, -52), 127));
}

TEST(Limbs, BecomeSubnormalZeroOrInfiniteDoubles) {
  const Numbers one = {0, 0, 1};  // 2^64
  EXPECT_EQ(toDouble(one, -1138).value, 5e-324);
  EXPECT_EQ(toDouble(one, -1139).value, 0);  // a tie with zero
  EXPECT_EQ(toDouble(one, -1139, true).value, 5e-324);
  EXPECT_EQ(toDouble(one, -5000).value, 0);
  EXPECT_EQ(toDouble(one, 959).value, std::ldexp(1, 1023));
  EXPECT_EQ(toDouble(one, 960).value, HUGE_VAL);
  EXPECT_EQ(toDouble(one, 500000).value, HUGE_VAL);
}

TEST(Limbs, KnowTheDirectionOfTheirRounding) {
  EXPECT_EQ(toDouble(Numbers{0, 0x200000}).error, 0);
  EXPECT_EQ(toDouble(Numbers{1, 0x200000}).error, 1);
  EXPECT_EQ(toDouble(Numbers{3, 0x200000}).error, -1);
  EXPECT_EQ(toDouble(Numbers{1, 0, 0, 1}).error, 1);
  EXPECT_EQ(toDouble(Numbers{0, 0, 0, 1}).error, 0);
  EXPECT_EQ(toDouble(Numbers{0, 0, 0, 1}, 0, true).error, 1);
  EXPECT_EQ(toDouble(Numbers{0, 0, 1}, 960).error, -1);
}

}  // namespace
}  // namespace strata::jinja
