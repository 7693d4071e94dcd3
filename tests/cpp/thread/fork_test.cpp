#include <gtest/gtest.h>

#include "support/random_history.h"
#include "thread/thread.h"

namespace strata::thread {
namespace {

using test::append;
using test::Judge;
using test::model;
using test::user;

// Returns a rewound copy. Both threads share the log until they diverge.
Thread fork(const Thread& thread, size_t turns) {
  Thread copy = thread;
  copy.rewind(turns);
  return copy;
}

TEST(Fork, BothThreadsAppendIndependently) {
  const Judge judge;
  Thread first = judge.thread();
  append(first, user("one"));
  append(first, model("two"));
  Thread second = fork(first, 2);
  append(first, user("of the first"));
  append(second, user("of the second"));
  append(first, model("more"));
  append(second, model("other"));
  EXPECT_EQ(first.contents(0, 4),
            test::joined({user("one"), model("two"), user("of the first"), model("more")}));
  EXPECT_EQ(second.contents(0, 4),
            test::joined({user("one"), model("two"), user("of the second"), model("other")}));
}

TEST(Fork, SharesBytesUntilTheThreadsDiverge) {
  const Judge judge;
  Thread first = judge.thread();
  append(first, user("one"));
  append(first, model("two"));
  Thread second = fork(first, 1);
  EXPECT_EQ(first.content(0).data(), second.content(0).data());
  append(second, model("not two"));
  EXPECT_NE(first.content(0).data(), second.content(0).data());
  EXPECT_EQ(first.content(1), model("two"));
  EXPECT_EQ(second.content(1), model("not two"));
}

TEST(Fork, OutlivesItsOrigin) {
  const Judge judge;
  std::optional<Thread> first = judge.thread();
  append(*first, user("one"));
  append(*first, model("two"));
  Thread second = fork(*first, 1);
  first.reset();
  append(second, model("three"));
  EXPECT_EQ(second.contents(0, 2), user("one") + "," + model("three"));
}

TEST(Rewind, AppendReplacesTheDroppedTurns) {
  const Judge judge;
  Thread thread = judge.thread();
  for (const char* value : {"a", "b", "c", "d"}) append(thread, user(value));
  const std::string digest = toHex(thread.checkpointAfter(2).digest);
  thread.rewind(2);
  EXPECT_EQ(test::hexDigest(thread), digest);
  append(thread, model("other"));
  EXPECT_EQ(thread.contents(0, 3), test::joined({user("a"), user("b"), model("other")}));
  thread.rewind(9);
  EXPECT_EQ(thread.size(), 3U);
  thread.rewind(0);
  append(thread, user("again"));
  EXPECT_EQ(thread.contents(0, 1), user("again"));
}

TEST(Digest, DependsOnTheTurnsAndTheirOrder) {
  const Judge judge;
  const auto digestOf = [&judge](const std::vector<std::string>& contents) {
    Thread thread = judge.thread();
    for (const std::string& each : contents) append(thread, each);
    return test::hexDigest(thread);
  };
  const std::string both = digestOf({user("a"), model("b")});
  EXPECT_EQ(digestOf({user("a"), model("b")}), both);
  EXPECT_NE(digestOf({model("b"), user("a")}), both);
  EXPECT_NE(digestOf({user("a")}), both);
  EXPECT_NE(digestOf({user("a"), model("b ")}), both);
}

TEST(Digest, ChainsLengthAndBytes) {
  const Judge judge;
  Thread thread = judge.thread();
  append(thread, user("a"));
  append(thread, model("b"));
  const Digest& before = thread.checkpointAfter(1).digest;
  Sha256 hash;
  hash.add({reinterpret_cast<const char*>(before.data()), before.size()});
  hash.add(":" + std::to_string(model("b").size()) + ":" + model("b"));
  EXPECT_EQ(hash.finish(), thread.checkpointAfter(2).digest);
}

// Forks, rewinds, and appends at random, and compares each thread with a plain list of its turns.
TEST(Fork, RandomForksRewindsAndAppendsKeepEveryThreadIntact) {
  const Judge judge;
  test::RandomHistory random(11);
  std::vector<Thread> threads = {judge.thread()};
  std::vector<std::vector<std::string>> expected(1);
  for (int step = 0; step < 3000; ++step) {
    const size_t at = random.below(threads.size());
    const size_t action = random.below(10);
    if (action == 0 && threads.size() < 12) {
      threads.push_back(threads[at]);
      expected.push_back(expected[at]);
    } else if (action == 1) {
      const size_t turns = random.below(threads[at].size() + 1);
      threads[at].rewind(turns);
      expected[at].resize(turns);
    } else {
      const std::string content = user("turn " + std::to_string(step));
      append(threads[at], content);
      expected[at].push_back(content);
    }
    for (size_t i = 0; i < threads.size(); ++i) {
      ASSERT_EQ(threads[i].contents(0, threads[i].size()), test::joined(expected[i])) << step;
    }
    if (expected[at].size() > 40) {
      threads[at].rewind(5);
      expected[at].resize(5);
    }
  }
}

}  // namespace
}  // namespace strata::thread
