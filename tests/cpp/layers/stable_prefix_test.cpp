// Tests stablePrefixBytes, the bytes that a request shares with the start of the previous one.
#include <algorithm>

#include "layers/requests.h"

namespace strata::layers {
namespace {

using test::append;
using test::AssembledRequest;
using test::callTurn;
using test::Json;
using test::model;
using test::resultTurn;
using test::user;

size_t commonPrefix(const std::string& a, const std::string& b) {
  return static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
                             a.begin());
}

class StablePrefix : public test::Requests {
 protected:
  // Assembles the next request and returns its stablePrefixBytes. Sets `common_` to the actual
  // length of the prefix that it shares with the previous one.
  size_t shared() {
    input_.previous = previous_ ? previous_->manifest() : json::Value();
    auto request = std::make_unique<AssembledRequest>(assembler_.assemble(thread_, input_));
    const auto reported = request->manifest().find("stablePrefixBytes").integer(-1);
    common_ = previous_ ? commonPrefix(previous_->body, request->body) : 0;
    previous_ = std::move(request);
    EXPECT_GE(reported, 0);
    return static_cast<size_t>(reported);
  }

  std::unique_ptr<AssembledRequest> previous_;
  size_t common_ = 0;
};

TEST_F(StablePrefix, IsZeroWithoutAPreviousRequest) {
  setInstruction("go");
  EXPECT_EQ(shared(), 0U);
}

TEST_F(StablePrefix, CoversThePreviousRequestIfTurnsWereAppended) {
  input_.tools = R"([{"functionDeclarations":[{"name":"f"}]}])";
  setInstruction("one");
  shared();
  for (int i = 0; i < 5; ++i) {
    add({user("one"), model(std::to_string(i))});
    EXPECT_EQ(shared(), common_) << i;
    EXPECT_EQ(common_ + 2, previous_->body.size() - model("0").size() - user("one").size() - 2)
        << i;
  }
}

TEST_F(StablePrefix, CoversThePreviousRequestInAToolLoop) {
  add({user("one")});
  shared();
  for (int i = 0; i < 4; ++i) {
    add({callTurn(), resultTurn()});
    EXPECT_EQ(shared(), common_) << i;
  }
}

TEST_F(StablePrefix, OfARetryCoversTheWholeRequestExceptItsEnd) {
  add({user("one"), model("two"), user("three")});
  shared();
  EXPECT_EQ(shared() + 2, common_);
}

TEST_F(StablePrefix, EndsAtAChangedDynamicText) {
  useTexts("Be brief.", R"({"a":1})");
  add({user("one"), model("two")});
  setInstruction("three");
  shared();
  useTexts("Be brief.", R"({"a":2})");
  const size_t first = shared();
  EXPECT_EQ(previous_->body.substr(0, first),
            R"({"systemInstruction":{"parts":[{"text":"Be brief."}]})");
  input_.dynamicBeforeTurn = true;
  shared();
  useTexts("Be brief.", R"({"a":3})");
  const size_t second = shared();
  const std::string head = previous_->body.substr(0, second);
  EXPECT_EQ(head.substr(head.size() - model("two").size()), model("two"));
}

TEST_F(StablePrefix, IsZeroForADifferentSystemInstruction) {
  setInstruction("go");
  shared();
  input_.staticText = plain("Be long.");
  EXPECT_EQ(shared(), 0U);
}

// Changes a thread at random between two requests.
class RandomChanges {
 public:
  explicit RandomChanges(uint32_t seed) : random_(seed) {}

  size_t below(size_t end) { return random_.below(end); }

  void step(thread::Thread& thread) {
    const size_t what = below(10);
    if (what == 0) thread.rewind(below(thread.size() + 1));
    if (what <= 6) answer(thread);
    if (what == 7) append(thread, callTurn());
  }

 private:
  void answer(thread::Thread& thread) {
    const bool open = thread.checkpointAfter(thread.size()).state.hasOpenCalls();
    append(thread, open ? resultTurn() : user(std::string(1 + below(9), 'u')));
    if (below(3) == 0) return;
    append(thread, below(3) == 0 ? callTurn() : model(std::string(1 + below(9), 'm')));
  }

  test::RandomHistory random_;
};

TEST_F(StablePrefix, IsNeverLongerThanTheCommonPrefixOfTheBodies) {
  const std::vector<std::string> staticTexts = {"Be brief.", "Be brief!", ""};
  const std::vector<std::string> dynamicTexts = {R"({"a":1})", R"({"a":2})", ""};
  for (uint32_t seed = 0; seed < 60; ++seed) {
    RandomChanges changes(seed);
    thread_.rewind(0);
    for (int i = 0; i < 30; ++i) {
      changes.step(thread_);
      useTexts(staticTexts[changes.below(8) == 0 ? changes.below(3) : 0],
               dynamicTexts[changes.below(3) == 0 ? changes.below(3) : 0]);
      input_.tools = changes.below(9) == 0 ? "[]" : "";
      input_.staticAsUser = changes.below(20) == 0;
      input_.dynamicBeforeTurn = seed % 2 == 0;
      input_.cacheContents = changes.below(9) == 0;
      buffer(seed % 3 == 0 ? -1 : 60);
      const std::string words(1 + changes.below(3), 'u');
      setInstruction(changes.below(3) == 0 ? std::string_view() : words);
      const size_t reported = shared();
      ASSERT_LE(reported, common_) << seed << " " << i << previous_->body;
    }
  }
}

}  // namespace
}  // namespace strata::layers
