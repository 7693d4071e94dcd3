// Tests HMAC-SHA-256 with the vectors of RFC 4231.
#include "signatures/hmac.h"

#include <gtest/gtest.h>

#include <string>

namespace strata::signatures {
namespace {

std::string hmac(const std::string& key, std::string_view message) {
  return toHex(Hmac(key).of({message}));
}

TEST(Hmac, SignsAsRfc4231Says) {
  EXPECT_EQ(hmac(std::string(20, 0x0b), "Hi There"),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(hmac("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(hmac(std::string(20, '\xaa'), std::string(50, '\xdd')),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
}

TEST(Hmac, HashesASecretThatIsLongerThanABlock) {
  const std::string secret(131, '\xaa');
  EXPECT_EQ(hmac(secret, "Test Using Larger Than Block-Size Key - Hash Key First"),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  EXPECT_EQ(hmac(secret,
                 "This is a test using a larger than block-size key and a larger than block-size "
                 "data. The key needs to be hashed before being used by the HMAC algorithm."),
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2");
}

TEST(Hmac, SignsManyMessagesWithOneSecret) {
  const Hmac hmac("Jefe");
  const Digest first = hmac.of({"a"});
  EXPECT_NE(hmac.of({"b"}), first);
  EXPECT_EQ(hmac.of({"a"}), first);
}

}  // namespace
}  // namespace strata::signatures
