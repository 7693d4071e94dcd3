#include "thread/turn_log.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <utility>

#include "support/random_history.h"
#include "thread/rewrite.h"

namespace {

// Called before each allocation. A trap can end an instance at any of them.
std::function<void()>* onAllocation = nullptr;

struct alignas(std::max_align_t) Header {
  size_t size;
};

}  // namespace

void* operator new(size_t size) {
  if (std::function<void()>* hook = std::exchange(onAllocation, nullptr)) {
    (*hook)();
    onAllocation = hook;
  }
  auto* header = static_cast<Header*>(std::malloc(sizeof(Header) + size));
  if (header == nullptr) std::abort();
  header->size = size;
  return header + 1;
}

// Overwrites the memory, so that a read of released bytes shows.
void operator delete(void* pointer) noexcept {
  if (pointer == nullptr) return;
  Header* header = static_cast<Header*>(pointer) - 1;
  std::memset(pointer, 0xdd, header->size);
  std::free(header);
}
void operator delete(void* pointer, size_t) noexcept { operator delete(pointer); }

namespace strata::thread {
namespace {

using test::append;
using test::callTurn;
using test::Judge;
using test::model;
using test::Policy;
using test::resultTurn;
using test::user;
using Turns = std::vector<std::pair<std::string, std::string>>;

// Reads as web/sdk/core/committed-turns.ts does, in this platform's word size.
Turns readCommitted(const CommittedTurns* at) {
  Turns turns;
  for (; at != nullptr; at = reinterpret_cast<const CommittedTurns*>(at->next)) {
    EXPECT_EQ(at->mark, CommittedTurns::kMark);
    const auto* places = reinterpret_cast<const TurnPlace*>(at->places);
    const auto bytesAt = [](uintptr_t place) {
      return reinterpret_cast<const char*>(*reinterpret_cast<const uintptr_t*>(place));
    };
    for (size_t i = 0; i < at->turns; ++i) {
      const auto [contentBegin, contentEnd, metaBegin, metaEnd] = places[i];
      turns.emplace_back(
          std::string(bytesAt(at->contents) + contentBegin, bytesAt(at->contents) + contentEnd),
          std::string(bytesAt(at->metas) + metaBegin, bytesAt(at->metas) + metaEnd));
    }
  }
  return turns;
}

Turns turnsOf(const Thread& thread) {
  Turns turns;
  for (size_t i = 0; i < thread.size(); ++i) turns.emplace_back(thread.content(i), thread.meta(i));
  return turns;
}

// Runs a change of `thread` and expects that its committed turns stay readable at each allocation
// until the commit.
template <typename Change>
void expectAtomic(Thread& thread, const Change& change) {
  const Turns before = turnsOf(thread);
  size_t allocations = 0;
  size_t lost = 0;
  std::function<void()> hook = [&] {
    ++allocations;
    if (readCommitted(&thread.committed()) != before) ++lost;
  };
  onAllocation = &hook;
  change();
  onAllocation = nullptr;
  EXPECT_GT(allocations, 0U);
  EXPECT_EQ(lost, 0U);
  EXPECT_EQ(readCommitted(&thread.committed()), before);
  thread.commit();
  EXPECT_EQ(readCommitted(&thread.committed()), turnsOf(thread));
}

TEST(CommittedTurns, StayReadableDuringEachAppend) {
  const Judge judge;
  Thread thread = judge.thread();
  test::RandomHistory random(7, true);
  for (const std::string& bytes : random.contents(200)) {
    const std::string meta =
        random.below(3) == 0 ? "{\"model\":\"" + std::string(random.below(90), 'm') + "\"}" : "{}";
    for (const Policy policy : {Policy::kReject, Policy::kRepair, Policy::kWarn}) {
      expectAtomic(thread, [&] { append(thread, bytes, policy, meta); });
    }
    if (random.below(9) == 0) {
      thread.rewind(thread.size() / 2);
      thread.commit();
    }
  }
}

TEST(CommittedTurns, StayReadableWhileARepairReplacesTheOpenStep) {
  const Judge judge;
  Thread thread = judge.thread();
  for (const std::string& bytes : {user(), callTurn()})
    append(thread, bytes, Policy::kRepair, "{\"tokens\":1}");
  thread.commit();
  const std::string before(thread.content(1));
  expectAtomic(thread, [&] { append(thread, user("next"), Policy::kRepair); });
  EXPECT_GT(thread.size(), 2U);
}

TEST(CommittedTurns, StayReadableWhenDroppedTwiceBeforeTheCommit) {
  TurnLog log;
  for (const char* turn : {"{1}", "{2}", "{3}", "{4}"}) log.append(turn, "{}");
  log.commit();
  const Turns before = readCommitted(&log.committed());
  log.truncate(3);
  log.append("{5}", "");
  log.truncate(1);
  log.append("{6}", "");
  EXPECT_EQ(readCommitted(&log.committed()), before);
  log.commit();
  EXPECT_EQ(readCommitted(&log.committed()), (Turns{{"{1}", "{}"}, {"{6}", ""}}));
}

TEST(CommittedTurns, StayReadableWhileAForkExtendsTheSharedBytes) {
  const Judge judge;
  Thread first = judge.thread();
  append(first, user("one"), Policy::kReject, "{\"tokens\":1}");
  first.commit();
  Thread second = first;
  EXPECT_TRUE(readCommitted(&second.committed()).empty());
  second.commit();
  const Turns before = turnsOf(first);
  for (int i = 0; i < 20; ++i) {
    expectAtomic(second, [&] { append(second, model(std::string(100, 'x')), Policy::kWarn); });
    EXPECT_EQ(readCommitted(&first.committed()), before);
  }
  expectAtomic(first, [&] { append(first, model("of the first")); });
}

TEST(CommittedTurns, StayReadableDuringARewrite) {
  const Judge judge;
  Thread thread = judge.thread();
  for (const std::string& bytes : {user(), callTurn(), resultTurn(), model("done")}) {
    append(thread, bytes, Policy::kReject, "{\"tokens\":1}");
  }
  thread.commit();
  const std::string shorter = user("short");
  expectAtomic(thread, [&] { EXPECT_TRUE(rewrite(thread, {{0, 3, {shorter}}})); });
  Result<Thread> rewritten = rewrite(thread, {{0, 3, {shorter}}});
  thread = std::move(rewritten.value());
  thread.commit();
  EXPECT_EQ(readCommitted(&thread.committed()), turnsOf(thread));
  EXPECT_EQ(thread.size(), 2U);
}

}  // namespace
}  // namespace strata::thread
