#include "base/sha256.h"

#include <gtest/gtest.h>

namespace strata {
namespace {

std::string hexOf(std::string_view bytes) { return toHex(sha256(bytes)); }

// The examples of FIPS 180-4,
// https://csrc.nist.gov/projects/cryptographic-standards-and-guidelines/example-values.
TEST(Sha256, MatchesTheExamplesOfFips180) {
  EXPECT_EQ(hexOf(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hexOf("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hexOf("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hexOf(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// From 56 bytes on, the padding needs an extra block.
TEST(Sha256, PadsAtBlockBoundaries) {
  EXPECT_EQ(hexOf(std::string(55, 'a')),
            "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  EXPECT_EQ(hexOf(std::string(56, 'a')),
            "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  EXPECT_EQ(hexOf(std::string(64, 'a')),
            "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

TEST(Sha256, TakesEmptyViewsAnywhere) {
  EXPECT_EQ(toHex(Sha256().add({}).add("a").add({}).add("bc").add({}).finish()), hexOf("abc"));
}

TEST(Sha256, DoesNotDependOnHowTheBytesAreSplit) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) bytes.push_back(static_cast<char>(i * 7));
  const std::string whole = hexOf(bytes);
  for (size_t step = 1; step <= bytes.size(); ++step) {
    Sha256 hash;
    for (size_t at = 0; at < bytes.size(); at += step) hash.add(bytes.substr(at, step)).add("");
    EXPECT_EQ(toHex(hash.finish()), whole) << step;
  }
}

}  // namespace
}  // namespace strata
