// Tests the keys of places where clients change a history in ways that leave its meaning.
#include "signatures/sites.h"

#include <gtest/gtest.h>

#include "json/tape.h"
#include "support/contents.h"

namespace strata::signatures {
namespace {

using test::bodyOf;
using test::call;
using test::content;
using test::result;
using test::user;

const std::string kAnswer = R"({"role":"model","parts":[{"text":"Done."}]})";

Sites sitesIn(const std::string& body) {
  const Result<json::Tape> tape = json::Tape::read(body);
  return sitesOf(tape.value().root(), Secrets("scope", "caller"));
}

// A call, these results, and an answer.
std::string history(const std::string& results) {
  return bodyOf({user(), content("model", {call("f", "1")}), content("user", {results}), kAnswer});
}

TEST(Sites, IgnoreResultsThatCameTwice) {
  const std::string once = result("f", "1") + "," + result("g", "2");
  EXPECT_EQ(sitesIn(history(once)).chain, sitesIn(history(once + "," + once)).chain);
  // Another id, another result, or none.
  EXPECT_NE(sitesIn(history(once)).chain, sitesIn(history(once + "," + result("g", "3"))).chain);
  EXPECT_NE(sitesIn(history(once)).chain, sitesIn(history(once + "," + result("f", "2"))).chain);
  EXPECT_NE(sitesIn(history(result())).chain, sitesIn(history(result() + "," + result())).chain);
}

TEST(Sites, KeepEqualResultsOfTwoTurns) {
  const std::string turn = content("user", {result("f", "1")});
  const std::string model = content("model", {call("f", "1")});
  EXPECT_NE(sitesIn(bodyOf({user(), model, turn, model, kAnswer})).chain,
            sitesIn(bodyOf({user(), model, turn, model, turn, kAnswer})).chain);
}

TEST(Sites, RecognizeTheSignatureOfAnEmptyTextOnTheTextBeforeIt) {
  const std::string behind = R"({"role":"model","parts":[{"text":"Done."},)"
                             R"({"text":"","thoughtSignature":"AAAA"}]})";
  const std::string onText =
      R"({"role":"model","parts":[{"text":"Done.","thoughtSignature":"AAAA"}]})";
  const Site given = sitesIn(bodyOf({user(), behind})).sites.back();
  const Site moved = sitesIn(bodyOf({user(), onText})).sites.back();
  EXPECT_EQ(given.partKey, moved.partKey);
  EXPECT_EQ(given.signatureKey, moved.signatureKey);
  EXPECT_NE(given.partKey, "");
}

}  // namespace
}  // namespace strata::signatures
