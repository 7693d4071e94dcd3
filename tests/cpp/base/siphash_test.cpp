// Tests SipHash with the 128-bit vectors of its authors.
#include "base/siphash.h"

#include <gtest/gtest.h>

#include <string>

namespace strata {
namespace {

// The key of the vectors is the bytes 0 to 15, their messages are the bytes 0 to n - 1.
constexpr SipHash::Key kKey = {0x0706050403020100U, 0x0f0e0d0c0b0a0908U};

std::string message(size_t size) {
  std::string bytes;
  for (size_t i = 0; i < size; ++i) bytes.push_back(static_cast<char>(i));
  return bytes;
}

SipHash::Digest digestOf(std::string_view bytes) { return SipHash(kKey).add(bytes).digest(); }

using Bytes = SipHash::Digest;

TEST(SipHash, HashesAsItsAuthorsSay) {
  EXPECT_EQ(digestOf(message(0)), (Bytes{0xa3, 0x81, 0x7f, 0x04, 0xba, 0x25, 0xa8, 0xe6, 0x6d, 0xf6,
                                         0x72, 0x14, 0xc7, 0x55, 0x02, 0x93}));
  EXPECT_EQ(digestOf(message(1)), (Bytes{0xda, 0x87, 0xc1, 0xd8, 0x6b, 0x99, 0xaf, 0x44, 0x34, 0x76,
                                         0x59, 0x11, 0x9b, 0x22, 0xfc, 0x45}));
  EXPECT_EQ(digestOf(message(8)), (Bytes{0x3b, 0x62, 0xa9, 0xba, 0x62, 0x58, 0xf5, 0x61, 0x0f, 0x83,
                                         0xe2, 0x64, 0xf3, 0x14, 0x97, 0xb4}));
  EXPECT_EQ(digestOf(message(15)), (Bytes{0x54, 0x93, 0xe9, 0x99, 0x33, 0xb0, 0xa8, 0x11, 0x7e,
                                          0x08, 0xec, 0x0f, 0x97, 0xcf, 0xc3, 0xd9}));
  EXPECT_EQ(digestOf(message(63)), (Bytes{0x51, 0x50, 0xd1, 0x77, 0x2f, 0x50, 0x83, 0x4a, 0x50,
                                          0x3e, 0x06, 0x9a, 0x97, 0x3f, 0xbd, 0x7c}));
}

TEST(SipHash, DoesNotDependOnHowBytesAreSplit) {
  const std::string bytes = message(100);
  const SipHash::Digest whole = digestOf(bytes);
  for (size_t size = 1; size < 20; ++size) {
    SipHash hash(kKey);
    for (size_t at = 0; at < bytes.size(); at += size) hash.add(bytes.substr(at, size));
    EXPECT_EQ(hash.digest(), whole) << size;
  }
}

TEST(SipHash, ContinuesAfterADigest) {
  SipHash hash(kKey);
  hash.add("one");
  EXPECT_EQ(hash.digest(), digestOf("one"));
  EXPECT_EQ(hash.add(" two").digest(), digestOf("one two"));
}

}  // namespace
}  // namespace strata
