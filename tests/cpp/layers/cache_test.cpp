// Tests the bodies that create caches, and requests that use a cache or reject it.
#include "layers/cache_body.h"
#include "layers/requests.h"

namespace strata::layers {
namespace {

using test::AssembledRequest;
using test::callTurn;
using test::Json;
using test::model;
using test::resultTurn;
using test::user;

class Cache : public test::Requests {
 protected:
  explicit Cache(const std::string& model = "gemini-3.8-flash") : Requests(model) {
    add({user("one"), test::model("two"), user("three"), test::model("four")});
    input_.tools = R"([{"functionDeclarations":[{"name":"f"}]}])";
    input_.toolConfig = "{}";
    input_.generationConfig = R"({"seed":1})";
    buffer(40);
    setInstruction("go");
  }

  // Returns the body of cachedContents.create and sets `handle_` to the cache that it creates.
  std::string create() {
    input_.forCache = true;
    CacheBody created = assembler_.cacheBody(thread_, input_);
    input_.forCache = false;
    EXPECT_FALSE(created.failure);
    handle_ = {"cachedContents/c", "models/" + input_.model, created.turns, created.key};
    return created.body.join();
  }
  void use() {
    input_.hasCache = true;
    input_.cache = handle_;
  }
  static std::string decision(const AssembledRequest& request) {
    return request.manifest().find("cache").find("decision").text();
  }
  static std::string key(const AssembledRequest& request) {
    return request.manifest().find("cache").find("key").text();
  }

  CacheHandle handle_;
};

TEST_F(Cache, ContainsWhatTheRequestLeavesOut) {
  const Json body(create());
  ASSERT_TRUE(body.ok());
  EXPECT_EQ(body.root().find("model").text(), "models/gemini-3.8-flash");
  EXPECT_NE(body.root().find("systemInstruction").bytes().find("one"), std::string_view::npos);
  EXPECT_EQ(body.root().find("tools").bytes(), input_.tools);
  EXPECT_EQ(body.root().find("toolConfig").bytes(), "{}");
  EXPECT_FALSE(body.root().find("contents") || body.root().find("generationConfig"));
  EXPECT_EQ(handle_.turns, 2U);
}

TEST_F(Cache, CountsItsTurnsAgainstTheContext) {
  thread_.rewind(0);
  test::append(thread_, user(), test::Policy::kWarn, R"({"tokens":1048577})");
  add({test::model(), user(), test::model()});
  input_.cacheContents = true;
  create();
  use();
  const AssembledRequest request = assemble();
  EXPECT_EQ(decision(request), "hit");
  EXPECT_TRUE(test::hasCode(request.lines(), "context.too_large"));
}

TEST_F(Cache, NeedsJsonInEachField) {
  input_.toolConfig = "{";
  const std::vector<std::optional<LayerFailure>> failures = {
      assembler_.assemble(thread_, input_).failure,
      assembler_.cacheBody(thread_, input_).failure,
      assembler_.cachePreview(thread_, input_).failure,
  };
  for (const std::optional<LayerFailure>& failure : failures) {
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->error->code, "json.invalid");
    EXPECT_EQ(failure->error->path, "/toolConfig");
  }
}

TEST_F(Cache, AHitSendsNothingThatTheCacheContains) {
  create();
  use();
  const AssembledRequest request = assemble();
  EXPECT_TRUE(request.ok);
  EXPECT_TRUE(request.lines().empty());
  EXPECT_EQ(decision(request), "hit");
  EXPECT_EQ(request.fields(),
            (std::vector<std::string>{"generationConfig", "cachedContent", "contents"}));
  EXPECT_EQ(request.contents(),
            (std::vector<std::string>{user("three"), model("four"), user("go")}));
  EXPECT_TRUE(request.manifest().find("layers").at(0).find("cached").isTrue());
  EXPECT_TRUE(judge_.lint(request.body).empty());
}

TEST_F(Cache, HasTheKeyOfTheRequest) {
  create();
  EXPECT_EQ(handle_.key, key(assemble()));
  use();
  EXPECT_EQ(handle_.key, key(assemble()));
}

TEST_F(Cache, StaysUsableWhileTheThreadGrows) {
  create();
  use();
  for (int i = 0; i < 10; ++i) {
    add({user("more"), model("more")});
    const AssembledRequest request = assemble();
    EXPECT_EQ(decision(request), "hit");
    EXPECT_EQ(request.contents().size(), static_cast<size_t>(3 + 2 * (i + 1)));
  }
}

TEST_F(Cache, IsStaleIfItsContentDiffers) {
  create();
  use();
  const std::vector<std::string> stale = {"warning cache.stale /cachedContent"};
  const auto expectStale = [&] {
    const AssembledRequest request = assemble();
    EXPECT_TRUE(request.ok);
    EXPECT_EQ(request.lines(), stale);
    EXPECT_EQ(request.fields().front(), "systemInstruction");
    EXPECT_EQ(request.contents().size(), 3U);
    EXPECT_NE(key(request), handle_.key);
  };
  input_.staticText = plain("Be long.");
  expectStale();
  input_.staticText = plain("Be brief.");
  input_.tools = "[]";
  expectStale();
  input_.tools = R"([{"functionDeclarations":[{"name":"f"}]}])";
  input_.toolConfig = "";
  expectStale();
  input_.toolConfig = "{}";
  input_.generationConfig = "{}";  // not part of the cache
  EXPECT_EQ(decision(assemble()), "hit");
  thread_.rewind(0);
  add({user("uno"), model("due"), user("tre"), model("quattro")});
  expectStale();
}

TEST_F(Cache, IsRejectedForAnotherModel) {
  create();
  use();
  input_.cache.model = "models/gemini-3.7-flash";
  const AssembledRequest request = assemble();
  EXPECT_TRUE(request.ok);
  EXPECT_EQ(request.lines(),
            std::vector<std::string>{"warning cache.model_mismatch /cachedContent"});
  EXPECT_EQ(decision(request), "below_minimum");
}

TEST_F(Cache, IsRejectedIfItWouldSplitAStep) {
  add({user("five"), callTurn(), resultTurn()});
  create();
  use();
  for (const size_t turns : {1U, 3U, 5U, 6U, 7U}) {
    input_.cache.turns = turns;
    const AssembledRequest request = assemble();
    EXPECT_TRUE(test::hasCode(request.lines(), "cache.splits_step")) << turns;
    EXPECT_EQ(request.fields().front(), "systemInstruction");
  }
}

TEST_F(Cache, OfContentsEndsWithAUserContent) {
  input_.cacheContents = true;
  const Json body(create());
  ASSERT_TRUE(body.ok());
  const json::Value contents = body.root().find("contents");
  ASSERT_EQ(contents.size(), 3U);
  EXPECT_EQ(contents.at(0).bytes(), user("one"));
  EXPECT_EQ(contents.at(1).bytes(), model("two"));
  EXPECT_EQ(contents.at(2).find("role").text(), "user");
  EXPECT_EQ(body.root().find("systemInstruction").bytes().find("one"), std::string_view::npos);
  use();
  const AssembledRequest request = assemble();
  EXPECT_EQ(decision(request), "hit");
  EXPECT_EQ(request.contents(),
            (std::vector<std::string>{user("three"), model("four"), user("go")}));
}

TEST_F(Cache, OfContentsIsStaleForADifferentHistory) {
  input_.cacheContents = true;
  create();
  use();
  thread_.rewind(0);
  add({user("one"), model("2"), user("three"), model("four")});
  EXPECT_EQ(assemble().lines(), std::vector<std::string>{"warning cache.stale /cachedContent"});
}

TEST_F(Cache, ContainsTheStaticTextAsAContentOnRequest) {
  input_.staticAsUser = true;
  const Json body(create());
  ASSERT_TRUE(body.ok());
  EXPECT_FALSE(body.root().find("systemInstruction"));
  EXPECT_EQ(body.root().find("contents").size(), 1U);
  const std::string asUser = handle_.key;
  input_.staticAsUser = false;
  create();
  EXPECT_NE(handle_.key, asUser);
}

TEST_F(Cache, IsNotCreatedBelowTheMinimumSize) {
  EXPECT_EQ(decision(assemble()), "below_minimum");
  const std::string longText(4 * 4096, 'x');
  input_.staticText = plain(longText);
  EXPECT_EQ(decision(assemble()), "inline");
}

TEST_F(Cache, IsStaleForARewoundThread) {
  create();
  use();
  thread_.rewind(1);
  EXPECT_EQ(assemble().lines(), std::vector<std::string>{"warning cache.stale /cachedContent"});
}

class CacheOfGemini4Argon : public Cache {
 protected:
  CacheOfGemini4Argon() : Cache("gemini-4-argon") {}
};

TEST_F(CacheOfGemini4Argon, IsUnsupported) {
  create();
  use();
  const AssembledRequest request = assemble();
  EXPECT_TRUE(request.ok);
  EXPECT_EQ(request.lines(),
            std::vector<std::string>{"warning cache.unsupported_model /cachedContent"});
  EXPECT_EQ(decision(request), "unsupported");
}

}  // namespace
}  // namespace strata::layers
