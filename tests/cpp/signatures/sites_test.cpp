// Tests that the places of signatures have the same names however a client writes its history, and
// other names where it says something else.
#include "signatures/sites.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/contents.h"
#include "support/mutate.h"

namespace strata::signatures {
namespace {

using test::Json;

const Secrets& secrets() {
  static const Secrets kSecrets{Hmac("scope"), Hmac("caller")};
  return kSecrets;
}

Sites find(const std::string& contents, const Secrets& with = secrets()) {
  const Json body(R"({"contents":[)" + contents + "]}");
  EXPECT_TRUE(body.ok()) << contents;
  Sites found = sitesOf(body.root(), with);
  // They refer to the body, which ends here.
  for (Site& site : found.sites) site.place.signature = site.place.callId = json::Value();
  return found;
}

std::vector<Site::Key> keys(const std::string& contents) {
  std::vector<Site::Key> all;
  for (const Site& site : find(contents).sites) all.push_back(site.key);
  return all;
}

std::string chain(const std::string& contents) { return find(contents).chain; }

std::string model(const std::string& parts) {
  return R"({"role":"model","parts":[)" + parts + "]}";
}
std::string user(const std::string& parts) { return R"({"role":"user","parts":[)" + parts + "]}"; }
std::string call(const std::string& args, const std::string& more = "") {
  return R"({"functionCall":{"name":"f","args":)" + args + more + "}}";
}

const std::string kHi = R"({"role":"user","parts":[{"text":"hi"}]})";

// Equal keys in equal number, and an equal chain.
void expectSame(const std::string& a, const std::string& b) {
  EXPECT_EQ(keys(kHi + "," + a), keys(kHi + "," + b)) << a << "\n" << b;
  EXPECT_EQ(chain(kHi + "," + a), chain(kHi + "," + b)) << a << "\n" << b;
}

// No key in common, and another chain.
void expectOther(const std::string& a, const std::string& b) {
  const std::vector<Site::Key> all = keys(kHi + "," + a);
  for (const Site::Key& key : keys(kHi + "," + b)) {
    EXPECT_EQ(std::count(all.begin(), all.end(), key), 0) << a << "\n" << b;
  }
  EXPECT_NE(chain(kHi + "," + a), chain(kHi + "," + b)) << a << "\n" << b;
}

TEST(Sites, AreThePartsOfModels) {
  const Sites found = find(kHi + "," + model(R"({"text":"a"},{"functionCall":{"name":"f"}},
                                    {"executableCode":{"code":"1"}},{"inlineData":{"data":"AA"}})") +
                           "," + user(R"({"functionResponse":{"name":"f"}})"));
  ASSERT_EQ(found.sites.size(), 4U);
  std::set<Site::Key> different;
  for (uint32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(found.sites[i].place.content, 1U);
    EXPECT_EQ(found.sites[i].place.part, i);
    EXPECT_FALSE(found.sites[i].place.isEmpty);
    different.insert(found.sites[i].key);
  }
  EXPECT_EQ(different.size(), 4U);
  EXPECT_EQ(found.chain.size(), 22U);
}

TEST(Sites, HaveTheSameKeysWhateverTheOrderOfKeysIs) {
  expectSame(
      model(call(R"({"a":1,"b":{"c":2,"d":[3,{"e":4,"f":5}]}})")),
      model(R"({"functionCall":{"args":{"b":{"d":[3,{"f":5,"e":4}],"c":2},"a":1},"name":"f"}})"));
  expectOther(model(call(R"({"a":1,"b":2})")), model(call(R"({"a":2,"b":1})")));
  expectOther(model(call(R"({"a":[1,2]})")), model(call(R"({"a":[2,1]})")));
}

TEST(Sites, HaveTheSameKeysWhateverTheFormOfNumbersIs) {
  expectSame(model(call(R"({"a":1,"b":100,"c":0.1,"d":0,"e":12345678901234567890})")),
             model(call(R"({"a":1.0,"b":1e2,"c":1E-1,"d":-0.0,"e":12345678901234567000.0})")));
  expectOther(model(call(R"({"a":1})")), model(call(R"({"a":1.0000001})")));
  expectOther(model(call(R"({"a":1})")), model(call(R"({"a":"1"})")));
  expectOther(model(call(R"({"a":1e999})")), model(call(R"({"a":1e998})")));
}

TEST(Sites, HaveTheSameKeysWhateverIsEscaped) {
  expectSame(model(R"({"text":"é\n/😀"})"), model(R"({"text":"\u00e9\u000a\/\ud83d\ude00"})"));
  expectSame(model(call(R"({"aé":"\"x\""})")), model(call(R"({"\u0061\u00E9":"\u0022x\u0022"})")));
  expectOther(model(R"({"text":"a\nb"})"), model(R"({"text":"a\\nb"})"));
}

TEST(Sites, HaveTheSameKeysInBothSpellings) {
  expectSame(model(R"({"functionCall":{"name":"f"}},{"executableCode":{"code":"1"}})"),
             model(R"({"function_call":{"name":"f"}},{"executable_code":{"code":"1"}})"));
  expectSame(user(R"({"inlineData":{"mimeType":"a/b","data":"+/8="}})"),
             user(R"({"inline_data":{"data":"-_8","mime_type":"a/b"}})"));
  expectSame(user(R"({"functionResponse":{"name":"f","response":{"a_b":1},
                      "parts":[{"inlineData":{"mimeType":"a/b","data":"AA=="}}]}})"),
             user(R"({"function_response":{"name":"f","response":{"a_b":1},
                      "parts":{"inline_data":{"mime_type":"a/b","data":"AA"}}}})"));
  // Arguments and results are the caller's own names.
  expectOther(model(call(R"({"a_b":1})")), model(call(R"({"aB":1})")));
}

TEST(Sites, HaveTheSameKeysForSingleObjectsAndLists) {
  expectSame(model(R"({"text":"a"})"), R"({"role":"model","parts":{"text":"a"}})");
  const Json body(R"({"contents":{"role":"model","parts":{"text":"a"}}})");
  EXPECT_EQ(sitesOf(body.root(), secrets()).chain, chain(model(R"({"text":"a"})")));
}

TEST(Sites, HaveTheSameKeysWithoutIdsSignaturesAndDefaults) {
  expectSame(model(call("{}", R"(,"id":"call_1")")), model(R"({"functionCall":{"name":"f"}})"));
  expectSame(model(R"({"functionCall":{"name":"f","args":{"a":1}},"thoughtSignature":"AAAA"})"),
             model(call(R"({"a":1})")));
  expectSame(
      model(R"({"text":"a","thought":false,"functionCall":null,"thought_signature":"AAAA"})"),
      model(R"({"text":"a"})"));
  expectSame(
      user(R"({"functionResponse":{"id":"1","name":"f","response":{"a":null}}})"),
      user(R"({"functionResponse":{"name":"f","response":{"a":null},"willContinue":false}})"));
  // Null is an argument.
  expectOther(model(call(R"({"a":null})")), model(call("{}")));
}

TEST(Sites, HaveTheSameKeysWhereContentsAreSplitOrMerged) {
  const std::string a = R"({"functionCall":{"name":"a"}})";
  const std::string b = R"({"functionCall":{"name":"b"}})";
  expectSame(model(a + "," + b), model(a) + "," + model(b));
  expectSame(user(R"({"text":"x"})") + "," + user(R"({"text":"y"})"), user(R"({"text":"xy"})"));
  expectSame(model(a) + "," + R"({"role":"user","parts":[{"text":""}]})" + "," + model(b),
             model(a + "," + b));
  // An older role of results, and one that is missing, are the user's.
  const std::string result = R"({"functionResponse":{"name":"a"}})";
  expectSame(model(a) + "," + user(result),
             model(a) + R"(,{"role":"function","parts":[)" + result + "]}");
  expectSame(model(a) + "," + user(result), model(a) + R"(,{"parts":[)" + result + "]}");
  expectOther(model(R"({"text":"x"})"), user(R"({"text":"x"})"));
}

TEST(Sites, GiveATextTheKeyOfItsEnd) {
  const auto whole = keys(kHi + "," + model(R"({"text":"one two"})"));
  const auto split = keys(kHi + "," + model(R"({"text":"one "},{"text":"two"})"));
  ASSERT_EQ(split.size(), 2U);
  EXPECT_EQ(split[1], whole[0]);
  EXPECT_NE(split[0], whole[0]);
  EXPECT_EQ(keys(kHi + "," + model(R"({"text":"on"},{"text":""},{"text":"e "})") + "," +
                 model(R"({"text":"two"})"))
                .back(),
            whole[0]);
  EXPECT_EQ(chain(kHi + "," + model(R"({"text":"one "},{"text":"two"})")),
            chain(kHi + "," + model(R"({"text":"one two"})")));
  expectOther(model(R"({"text":"one two"})"), model(R"({"text":"one  two"})"));
}

TEST(Sites, EndATextAtACallAndAtAnotherRole) {
  const std::string f = R"({"functionCall":{"name":"f"}})";
  const auto apart = keys(model(R"({"text":"a"},)" + f + R"(,{"text":"b"})"));
  ASSERT_EQ(apart.size(), 3U);
  EXPECT_EQ(apart[0], keys(model(R"({"text":"a"})"))[0]);
  EXPECT_NE(apart[2], keys(model(R"({"text":"ab"})"))[0]);
  expectOther(model(R"({"text":"a"})") + "," + user(R"({"text":"b"})"), model(R"({"text":"ab"})"));
}

TEST(Sites, TellEqualCallsApart) {
  const std::string f = R"({"functionCall":{"name":"f"}})";
  const auto inOneContent = keys(kHi + "," + model(f + "," + f));
  ASSERT_EQ(inOneContent.size(), 2U);
  EXPECT_NE(inOneContent[0], inOneContent[1]);
  const std::string result = user(R"({"functionResponse":{"name":"f"}})");
  const auto inTwoSteps = keys(kHi + "," + model(f) + "," + result + "," + model(f));
  ASSERT_EQ(inTwoSteps.size(), 2U);
  EXPECT_EQ(inTwoSteps[0], inOneContent[0]);
  EXPECT_NE(inTwoSteps[1], inOneContent[0]);
  EXPECT_NE(inTwoSteps[1], inOneContent[1]);
}

TEST(Sites, DoNotCountThoughts) {
  const std::string f = R"({"functionCall":{"name":"f"}})";
  expectSame(model(R"({"text":"hm","thought":true,"thoughtSignature":"AAAA"},)" + f), model(f));
  expectSame(model(R"({"text":"a"},{"text":"hm","thought":true},{"text":"b"})"),
             model(R"({"text":"a"},{"text":"b"})"));
  EXPECT_TRUE(find(model(R"({"thought":true,"thoughtSignature":"AAAA"})")).sites.empty());
}

TEST(Sites, GiveAnEmptyTextTheKeyOfThePartBeforeIt) {
  const std::string parts = R"({"text":"a"},{"text":""},{"functionCall":{"name":"f"}},
                               {"thoughtSignature":"AAAA"},{"text":"","thought_signature":"BBBB"})";
  const Sites found = find(kHi + "," + model(parts));
  ASSERT_EQ(found.sites.size(), 5U);
  EXPECT_TRUE(found.sites[1].place.isEmpty);
  EXPECT_EQ(found.sites[1].key, found.sites[0].key);
  EXPECT_TRUE(found.sites[3].place.isEmpty);
  EXPECT_EQ(found.sites[3].key, found.sites[2].key);
  EXPECT_EQ(found.sites[4].key, found.sites[2].key);
  EXPECT_EQ(found.sites[3].partKey, found.sites[4].partKey);
  EXPECT_NE(found.sites[3].signatureKey, found.sites[4].signatureKey);
  EXPECT_EQ(found.chain, chain(kHi + "," + model(R"({"text":"a"},{"functionCall":{"name":"f"}})")));
}

TEST(Sites, GiveAnEmptyTextInFrontTheKeyOfItsTurn) {
  const auto first =
      keys(kHi + "," + model(R"({"text":"","thoughtSignature":"AAAA"},{"text":"a"})"));
  const auto other = keys(user(R"({"text":"ho"})") + "," + model(R"({"text":""},{"text":"a"})"));
  ASSERT_EQ(first.size(), 2U);
  EXPECT_NE(first[0], first[1]);
  EXPECT_NE(first[0], other[0]);
  EXPECT_EQ(first[0], keys(kHi + "," + model(R"({"text":""})"))[0]);
}

// Clients move the signature of an empty text to the text before it.
TEST(Sites, GiveAnEmptyTextThePartKeyOfThePartBeforeIt) {
  const Sites behind =
      find(kHi + "," + model(R"({"text":"a"},{"text":"","thoughtSignature":"AAAA"})"));
  const Sites moved = find(kHi + "," + model(R"({"text":"a","thoughtSignature":"AAAA"})"));
  EXPECT_EQ(behind.sites[1].partKey, moved.sites[0].partKey);
  EXPECT_EQ(behind.sites[1].signatureKey, moved.sites[0].signatureKey);
  EXPECT_NE(moved.sites[0].partKey, Site::Key{});
}

std::string result(const std::string& name, const std::string& id) {
  return R"({"functionResponse":{"name":")" + name + R"(","id":")" + id + "\"}}";
}

// Clients that load a stored history twice send each result twice.
TEST(Sites, IgnoreResultsThatCameTwice) {
  const std::string once = result("f", "1") + "," + result("g", "2");
  const std::string f = model(call("{}")) + ",";
  const std::string answer = "," + model(R"({"text":"a"})");
  expectSame(f + user(once) + answer, f + user(once + "," + once) + answer);
  EXPECT_NE(chain(f + user(once)), chain(f + user(once + "," + result("g", "3"))));
  EXPECT_NE(chain(f + user(once)), chain(f + user(once + "," + result("f", "2"))));
  EXPECT_NE(chain(f + user(result("f", ""))),
            chain(f + user(result("f", "") + "," + result("f", ""))));
  EXPECT_NE(chain(f + user(once) + "," + f + user(once)),
            chain(f + user(once) + "," + model(call("{}"))));
}

TEST(Sites, NameASignatureInEitherAlphabet) {
  const auto nameOf = [](const std::string& signature) {
    return find(model(R"({"text":"a","thoughtSignature":")" + signature + "\"}"))
        .sites[0]
        .signatureKey;
  };
  EXPECT_EQ(nameOf("+/8="), nameOf("-_8"));
  EXPECT_EQ(nameOf(R"(+\/8=)"), nameOf("-_8"));
  EXPECT_NE(nameOf("-_9"), nameOf("-_8"));
  EXPECT_EQ(nameOf(""), Site::Key{});
}

TEST(Sites, NameACallWithItsId) {
  const auto callKey = [](const std::string& before, const std::string& args,
                          const std::string& id) {
    const auto found = find(before + model(call(args, R"(,"id":")" + id + "\"")));
    return found.sites.back().callKey;
  };
  EXPECT_EQ(callKey("", R"({"a":1.0})", "x"), callKey(kHi + ",", R"({"a":1})", "x"));
  EXPECT_EQ(callKey("", "{}", R"(\u0078)"), callKey("", "{}", "x"));
  EXPECT_NE(callKey("", R"({"a":1})", "x"), callKey("", R"({"a":2})", "x"));
  EXPECT_NE(callKey("", "{}", "x"), callKey("", "{}", "y"));
  EXPECT_EQ(callKey("", "{}", ""), Site::Key{});
  EXPECT_EQ(find(model(call("{}"))).sites[0].callKey, Site::Key{});
  EXPECT_EQ(find(model(call("{}", R"(,"id":5)"))).sites[0].callKey, Site::Key{});
}

TEST(Sites, TellTheMembersOfAnObjectFromThoseBehindIt) {
  expectOther(model(R"({"executableCode":{"a":{"b":"1"},"c":"2"}})"),
              model(R"({"executableCode":{"a":{"b":"1","c":"2"}}})"));
}

TEST(Sites, DependOnAllThatWasSaidBefore) {
  const std::string answer = model(R"({"text":"a"})");
  const Site::Key key = keys(kHi + "," + answer).back();
  for (const std::string& before :
       {std::string(R"({"role":"user","parts":[{"text":"ho"}]},)"), kHi + "," + kHi + ",",
        std::string(R"({"role":"model","parts":[{"text":"hi"},{"functionCall":{}}]},)"),
        std::string(R"({"role":"user","parts":[{"text":"hi"},{"inlineData":{"data":"AA"}}]},)"),
        std::string()}) {
    EXPECT_NE(keys(before + answer).back(), key) << before;
  }
}

TEST(Sites, DependOnTheSecrets) {
  const std::string contents =
      kHi + "," + model(R"({"functionCall":{"name":"f","id":"1"},"thoughtSignature":"AAAA"})");
  const Site site = find(contents).sites[0];
  const Site otherScope = find(contents, Secrets(Hmac("another"), Hmac("caller"))).sites[0];
  EXPECT_NE(otherScope.key, site.key);
  EXPECT_NE(otherScope.callKey, site.callKey);
  EXPECT_NE(otherScope.afterKey, site.afterKey);
  EXPECT_EQ(otherScope.partKey, site.partKey);
  EXPECT_EQ(otherScope.signatureKey, site.signatureKey);
  const Site otherCaller = find(contents, Secrets(Hmac("scope"), Hmac("another"))).sites[0];
  EXPECT_NE(otherCaller.key, site.key);
  EXPECT_NE(otherCaller.partKey, site.partKey);
  EXPECT_NE(otherCaller.signatureKey, site.signatureKey);
}

TEST(Sites, AreNotFoundInOtherJson) {
  const std::string empty = chain("");
  for (const char* text :
       {"1", "[]", "{}", "null", R"({"contents":null})", R"({"contents":"hi"})",
        R"({"contents":[1]})", R"({"contents":[{"role":"model","parts":[1,null,"a",[]]}]})",
        R"({"contents":[{"role":"model","parts":"a"}]})", R"({"contents":[[]]})"}) {
    const Json body(text);
    const Sites found = sitesOf(body.root(), secrets());
    EXPECT_TRUE(found.sites.empty()) << text;
    EXPECT_EQ(found.chain, empty) << text;
  }
}

TEST(Sites, AreTheNewestOfVeryMany) {
  std::string parts;
  for (int i = 0; i < 5'010; ++i) parts += "{},";
  const Sites found = find(model(parts + R"({"text":"a"})"));
  ASSERT_EQ(found.sites.size(), 5'000U);
  EXPECT_EQ(found.sites.back().place.part, 5'010U);
  EXPECT_EQ(found.sites.front().place.part, 11U);
}

TEST(Sites, AreLookedUpByWhatTheyLack) {
  const std::string f = R"("functionCall":{"name":"f","id":"1"})";
  const Json body(R"({"contents":[)" + model(R"({"text":"a"},{"text":""})") + "," +
                  model("{" + f + R"(},{"text":"b","thoughtSignature":"AAAA"})") + "," +
                  model("{" + f + R"(,"thoughtSignature":"skip_thought_signature_validator"})") +
                  "," + user(R"({"text":"c"})") + "]}");
  const std::vector<Site> sites = sitesOf(body.root(), secrets()).sites;
  ASSERT_EQ(sites.size(), 5U);
  const std::vector<Site::Key> expected = {
      sites[0].key,          sites[2].key, sites[2].callKey,     sites[3].afterKey,
      sites[3].signatureKey, sites[4].key, sites[4].signatureKey};
  EXPECT_EQ(lookupKeys(sites), expected);
}

TEST(Sites, SurviveMutatedBodies) {
  std::mt19937 random(7);
  const std::string body =
      test::bodyOf({kHi, model(call(R"({"a":[1,2.50,"x"]})", R"(,"id":"1")")), test::resultTurn(),
                    model(R"({"text":"ok","thoughtSignature":"AAAA"},{"text":""})")});
  for (int i = 0; i < 3000; ++i) {
    const Json read(test::mutated(body, random));
    if (!read.ok()) continue;
    const std::string chain = sitesOf(read.root(), secrets()).chain;
    EXPECT_EQ(chain.size(), 22U) << read.text();
    EXPECT_EQ(chain, chainOf(read.root(), secrets())) << read.text();
  }
}

// Answers

std::vector<Site> answered(const Json& content, const std::string& before) {
  Result<std::vector<Site>> found = answerSites(content.root(), chain(before), secrets());
  EXPECT_TRUE(found);
  return found ? std::move(found.value()) : std::vector<Site>();
}

TEST(AnswerSites, HaveTheKeysOfTheNextRequest) {
  const Json answer(model(R"({"text":"thinking","thought":true,"thoughtSignature":"0000"},
      {"text":"I will ","thoughtSignature":"AAAA"},{"text":"look."},
      {"functionCall":{"name":"f","args":{"x":1.0},"id":"c1"},"thoughtSignature":"BBBB"},
      {"functionCall":{"name":"f","args":{"x":1.0},"id":"c2"}},
      {"text":"","thoughtSignature":"CCCC"})"));
  const std::vector<Site> given = answered(answer, kHi);
  ASSERT_EQ(given.size(), 3U);
  EXPECT_EQ(given[0].place.signature.text(), "AAAA");
  EXPECT_EQ(given[2].place.signature.text(), "CCCC");
  EXPECT_TRUE(given[2].place.isEmpty);

  const Sites next = find(kHi + "," + model(R"({"text":"I will "},{"text":"look."})") + "," +
                          model(R"({"function_call":{"args":{"x":1},"name":"f"}})") + "," +
                          model(R"({"functionCall":{"args":{"x":1},"name":"f"}})") + "," +
                          user(R"({"functionResponse":{"name":"f"}})"));
  ASSERT_EQ(next.sites.size(), 4U);
  EXPECT_EQ(next.sites[0].key, given[0].key);
  EXPECT_EQ(next.sites[2].key, given[1].key);
  EXPECT_EQ(next.sites[3].key, given[2].key);
}

TEST(AnswerSites, AreTheModelsWhateverTheRoleIs) {
  const Json answer(R"({"parts":[{"text":"a","thoughtSignature":"AAAA"}]})");
  const Sites next = find(kHi + "," + model(R"({"text":"a"})"));
  EXPECT_EQ(answered(answer, kHi)[0].key, next.sites[0].key);
}

TEST(AnswerSites, HaveAnEmptyTextWithoutAPartBeforeIt) {
  const Json answer(model(R"({"text":"","thoughtSignature":"AAAA"})"));
  const std::vector<Site> given = answered(answer, kHi);
  ASSERT_EQ(given.size(), 1U);
  const Sites next = find(kHi + "," + model(R"({"text":""})"));
  EXPECT_EQ(next.sites[0].key, given[0].key);
}

TEST(AnswerSites, FollowTheTextOfTheUser) {
  const Json answer(model(R"({"text":"a","thoughtSignature":"AAAA"})"));
  EXPECT_NE(answered(answer, kHi)[0].key, answered(answer, kHi + "," + kHi)[0].key);
}

TEST(AnswerSites, RefuseAnotherChain) {
  const Json answer(model(R"({"text":"a","thoughtSignature":"AAAA"})"));
  for (const std::string& wrong : {std::string(), std::string("x"), std::string(21, 'A'),
                                   std::string(22, '='), chain(kHi) + "A"}) {
    const auto found = answerSites(answer.root(), wrong, secrets());
    ASSERT_FALSE(found) << wrong;
    EXPECT_EQ(found.error().code, "field.invalid");
    EXPECT_EQ(found.error().path, "/chain");
  }
}

}  // namespace
}  // namespace strata::signatures
