#include <algorithm>

#include "layers/requests.h"

namespace strata::layers {
namespace {

using test::append;
using test::callTurn;
using test::Json;
using test::Made;
using test::model;
using test::resultTurn;
using test::user;

size_t commonPrefix(const std::string& a, const std::string& b) {
  return static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
                             a.begin());
}

class StablePrefix : public test::Requests {
 protected:
  // The next request, compared with the one before.
  size_t shared() {
    input_.previous = before_ ? before_->manifest() : json::Value();
    auto made = std::make_unique<Made>(assembler_.assemble(thread_, input_));
    const auto said = made->manifest().find("stablePrefixBytes").integer(-1);
    common_ = before_ ? commonPrefix(before_->body, made->body) : 0;
    before_ = std::move(made);
    EXPECT_GE(said, 0);
    return static_cast<size_t>(said);
  }

  std::unique_ptr<Made> before_;
  size_t common_ = 0;
};

TEST_F(StablePrefix, IsNothingWithoutAPreviousRequest) {
  ask("go");
  EXPECT_EQ(shared(), 0U);
}

TEST_F(StablePrefix, IsAllThatWasSentWhenTurnsWereAppended) {
  input_.tools = R"([{"functionDeclarations":[{"name":"f"}]}])";
  ask("one");
  shared();
  for (int i = 0; i < 5; ++i) {
    add({user("one"), model(std::to_string(i))});
    EXPECT_EQ(shared(), common_) << i;
    EXPECT_EQ(common_ + 2, before_->body.size() - model("0").size() - user("one").size() - 2) << i;
  }
}

TEST_F(StablePrefix, IsAllThatWasSentInALoopOfTools) {
  add({user("one")});
  shared();
  for (int i = 0; i < 4; ++i) {
    add({callTurn(), resultTurn()});
    EXPECT_EQ(shared(), common_) << i;
  }
}

TEST_F(StablePrefix, OfARetryIsTheWholeRequestButItsEnd) {
  add({user("one"), model("two"), user("three")});
  shared();
  EXPECT_EQ(shared() + 2, common_);
}

TEST_F(StablePrefix, EndsWhereTheDynamicTextMoves) {
  useTexts("Be brief.", R"({"a":1})");
  add({user("one"), model("two")});
  ask("three");
  shared();
  useTexts("Be brief.", R"({"a":2})");
  const size_t first = shared();
  EXPECT_EQ(before_->body.substr(0, first),
            R"({"systemInstruction":{"parts":[{"text":"Be brief."}]})");
  input_.dynamicBeforeTurn = true;
  shared();
  useTexts("Be brief.", R"({"a":3})");
  const size_t second = shared();
  const std::string head = before_->body.substr(0, second);
  EXPECT_EQ(head.substr(head.size() - model("two").size()), model("two"));
}

TEST_F(StablePrefix, IsNothingBehindAnotherInstruction) {
  ask("go");
  shared();
  input_.staticText = plain("Be long.");
  EXPECT_EQ(shared(), 0U);
}

// What may happen between two requests of a thread.
class Life {
 public:
  explicit Life(uint32_t seed) : random_(seed) {}

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

TEST_F(StablePrefix, IsNeverMoreThanTheBodiesShare) {
  const std::vector<std::string> fixed = {"Be brief.", "Be brief!", ""};
  const std::vector<std::string> moving = {R"({"a":1})", R"({"a":2})", ""};
  for (uint32_t seed = 0; seed < 60; ++seed) {
    Life life(seed);
    thread_.rewind(0);
    for (int i = 0; i < 30; ++i) {
      life.step(thread_);
      useTexts(fixed[life.below(8) == 0 ? life.below(3) : 0],
               moving[life.below(3) == 0 ? life.below(3) : 0]);
      input_.tools = life.below(9) == 0 ? "[]" : "";
      input_.staticAsUser = life.below(20) == 0;
      input_.dynamicBeforeTurn = seed % 2 == 0;
      input_.cacheContents = life.below(9) == 0;
      buffer(seed % 3 == 0 ? -1 : 60);
      const std::string words(1 + life.below(3), 'u');
      ask(life.below(3) == 0 ? std::string_view() : words);
      const size_t said = shared();
      ASSERT_LE(said, common_) << seed << " " << i << before_->body;
    }
  }
}

}  // namespace
}  // namespace strata::layers
