#include "thread/tail.h"

#include <gtest/gtest.h>

#include "support/contents.h"

namespace strata::thread {
namespace {

using test::append;
using test::call;
using test::callTurn;
using test::content;
using test::Json;
using test::Judge;
using test::model;
using test::result;
using test::resultTurn;
using test::text;
using test::unsignedCall;
using test::user;

class Tail : public testing::Test {
 protected:
  // Returns the tail after these Contents.
  std::string after(const std::vector<std::string>& contents) {
    thread_.rewind(0);
    for (const std::string& each : contents) append(thread_, each);
    json::Writer out;
    writeTail(out, thread_);
    return out.take();
  }
  std::string textAfter(const std::vector<std::string>& contents) {
    const std::string tail = after(contents);
    json::Writer out;
    writeTailWithText(out, thread_);
    const std::string whole = out.take();
    // The text is added to the same members.
    EXPECT_EQ(whole.substr(0, tail.size() - 1), tail.substr(0, tail.size() - 1));
    return whole.substr(tail.size() - 1);
  }
  std::string lastUser() const {
    json::Writer out;
    writeLastUserText(out, thread_);
    return out.take();
  }

  Judge judge_;
  Thread thread_ = judge_.thread();
};

TEST_F(Tail, OfAnEmptyThread) {
  EXPECT_EQ(after({}), R"({"kind":"empty","turns":0,"awaitsAnswer":false,"hasResponses":false,)"
                       R"("blank":true,"openCalls":[]})");
  EXPECT_EQ(textAfter({}), R"(,"text":"","onlyText":false})");
}

TEST_F(Tail, OfAUserTurn) {
  EXPECT_EQ(after({user()}), R"({"kind":"user","turns":1,"awaitsAnswer":true,"hasResponses":false,)"
                             R"("blank":false,"openCalls":[]})");
  EXPECT_EQ(textAfter({user("a\\u00e9")}), R"(,"text":"a\u00e9","onlyText":true})");
  EXPECT_EQ(textAfter({content("user", {text("a"), text("b")})}),
            R"(,"text":"ab","onlyText":false})");
  EXPECT_EQ(textAfter({content("user", {R"({"inlineData":{}})"})}),
            R"(,"text":"","onlyText":false})");
  EXPECT_EQ(textAfter({content("user", {text("")})}), R"(,"text":"","onlyText":true})");
}

TEST_F(Tail, OfAnAnswer) {
  EXPECT_EQ(after({user(), model()}),
            R"({"kind":"model","turns":2,"awaitsAnswer":false,"hasResponses":false,)"
            R"("blank":false,"openCalls":[]})");
  EXPECT_EQ(textAfter({user(), content("model", {R"({"text":"hm","thought":true})", text("so")})}),
            R"(,"text":"so","onlyText":false})");
  EXPECT_EQ(after({user(), model("")}),
            R"({"kind":"model","turns":2,"awaitsAnswer":false,"hasResponses":false,)"
            R"("blank":true,"openCalls":[]})");
}

TEST_F(Tail, OfOpenCallsHasTheirArgumentsAsBytes) {
  const std::string given = R"({"functionCall":{"name":"f","id":"1","args":{"x": 1.0}},)"
                            R"("thoughtSignature":"AA"})";
  EXPECT_EQ(after({user(), content("model", {text("so"), given, unsignedCall("g")})}),
            R"({"kind":"model","turns":2,"awaitsAnswer":true,"hasResponses":false,"blank":false,)"
            R"("openCalls":[{"id":"1","name":"f","args":{"x": 1.0}},{"name":"g","args":{}}]})");
}

TEST_F(Tail, OfResponsesHasNoOpenCalls) {
  EXPECT_EQ(after({user(), callTurn(), resultTurn()}),
            R"({"kind":"tool","turns":3,"awaitsAnswer":true,"hasResponses":true,"blank":false,)"
            R"("openCalls":[]})");
  EXPECT_EQ(after({user(), callTurn(), content("user", {result(), text("and")})}),
            R"({"kind":"user","turns":3,"awaitsAnswer":true,"hasResponses":true,"blank":false,)"
            R"("openCalls":[]})");
}

TEST_F(Tail, FollowsARewind) {
  after({user(), callTurn(), resultTurn(), model()});
  thread_.rewind(2);
  json::Writer out;
  writeTail(out, thread_);
  EXPECT_NE(out.text().find(R"("turns":2,"awaitsAnswer":true)"), std::string::npos);
  EXPECT_NE(out.text().find(R"("openCalls":[{"name":"f","args":{}}])"), std::string::npos);
}

TEST_F(Tail, TellsTheLastWordsOfTheUser) {
  after({});
  EXPECT_EQ(lastUser(), R"({"turns":0,"index":-1,"text":""})");
  after({user("one"), model(), content("user", {text("t"), text("wo")}), callTurn(), resultTurn()});
  EXPECT_EQ(lastUser(), R"({"turns":5,"index":2,"text":"two"})");
  // A Content with functionResponses is not the user's, even if it has text.
  after({user("one"), callTurn(), content("user", {result(), text("and")})});
  EXPECT_EQ(lastUser(), R"({"turns":3,"index":0,"text":"one"})");
}

}  // namespace
}  // namespace strata::thread
