#include "base/segments.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace strata {
namespace {

TEST(Segments, KeepsTheOrderOfBorrowedAndOwnedPieces) {
  const std::string borrowed = "borrowed";
  Segments segments;
  segments.own("a");
  segments.borrow(borrowed);
  segments.own("b");
  segments.own("c");
  EXPECT_EQ(segments.join(), "aborrowedbc");
  EXPECT_EQ(segments.size(), 11U);
}

TEST(Segments, BorrowsLongPiecesAndJoinsShortOnes) {
  const std::string longPiece(5000, 'x');
  const std::string shortPiece = "short";
  Segments segments;
  for (int i = 0; i < 100; ++i) segments.own("0123456789");
  segments.borrow(shortPiece);
  segments.borrow(longPiece);
  segments.borrow(shortPiece);
  ASSERT_EQ(segments.pieces().size(), 3U);
  EXPECT_EQ(segments.pieces()[0].size(), 1005U);
  EXPECT_EQ(segments.pieces()[1].data(), longPiece.data());
  EXPECT_NE(segments.pieces()[2].data(), shortPiece.data());
}

TEST(Segments, IgnoresEmptyPieces) {
  Segments segments;
  segments.own("");
  segments.borrow("");
  EXPECT_TRUE(segments.pieces().empty());
  EXPECT_EQ(segments.join(), "");
}

TEST(Segments, KeepsOwnedPiecesAcrossAMove) {
  Segments first;
  first.own("short");
  first.borrow("|");
  first.own(std::string(100, 'x'));
  const Segments second = std::move(first);
  EXPECT_EQ(second.join(), "short|" + std::string(100, 'x'));
  static_assert(!std::is_copy_constructible_v<Segments>, "its pieces would dangle");
}

}  // namespace
}  // namespace strata
