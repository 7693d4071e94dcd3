// Tests that texts are rendered and hashed again only if their inputs change, and that this reuse
// never changes a result.
#include "layers/rendered_text.h"

#include "layers/request_field.h"
#include "layers/requests.h"
#include "tokens/estimate.h"

namespace strata::layers {
namespace {

using test::AssembledRequest;
using test::model;
using test::user;

// Counts the calls of a host function.
class CountingHost : public jinja::Host {
 public:
  Result<std::string> call(jinja::HostKind, size_t, std::string_view) override {
    return std::to_string(++calls);
  }

  int calls = 0;
};

class Memo : public test::Requests {
 protected:
  // Returns an input whose `source` is not part of the compared inputs, so that only a new render
  // shows it.
  TextInput compiled(std::string_view source, std::string_view variables = "",
                     jinja::Host* host = nullptr) {
    jinja::Options options;
    options.functions = {"count"};
    compiled_.emplace(std::string(source), options, host);
    TextInput input;
    input.templateId = 1;
    input.compiled = &*compiled_;
    input.variables = variables;
    return input;
  }

  std::optional<templates::JinjaTemplate> compiled_;
};

TEST_F(Memo, RendersATextOnceForTheSameInputs) {
  const std::string_view variables = R"({"name":"Ann"})";
  input_.staticText = compiled("1 {{ name }}", variables);
  setInstruction("one");
  EXPECT_EQ(assemble().instruction(), "1 Ann");
  input_.staticText = compiled("2 {{ name }}", variables);
  setInstruction("two");
  input_.now = "2026-11-21T10:00:01Z";
  add({user("one"), model("two")});
  EXPECT_EQ(assemble().instruction(), "1 Ann");
  input_.staticText.variables = R"({"name":"Bob"})";
  EXPECT_EQ(assemble().instruction(), "2 Bob");
  input_.staticText = compiled("3 {{ name }}", input_.staticText.variables);
  EXPECT_EQ(assemble().instruction(), "2 Bob");
  input_.staticText.templateId = 2;
  EXPECT_EQ(assemble().instruction(), "3 Bob");
}

TEST_F(Memo, RendersTheDynamicTextAgainIfTheTimeChanges) {
  input_.dynamicText = compiled("1");
  setInstruction("one");
  EXPECT_EQ(assemble().contents()[0], user("1"));
  input_.dynamicText = compiled("2");
  EXPECT_EQ(assemble().contents()[0], user("1"));
  input_.now = "2026-11-21T10:00:01Z";
  EXPECT_EQ(assemble().contents()[0], user("2"));
}

TEST_F(Memo, CallsHostFunctionsForEachRequest) {
  CountingHost host;
  input_.staticText = compiled("{{ count() }}", "", &host);
  setInstruction("one");
  EXPECT_EQ(assemble().instruction(), "1");
  EXPECT_EQ(assemble().instruction(), "2");
  EXPECT_EQ(host.calls, 2);
}

TEST_F(Memo, RendersAStaticTextWithTheTimeAgain) {
  setInstruction("go");
  input_.staticText = templated("{{ strftime_now('%S') }}");
  EXPECT_EQ(assemble().instruction(), "00");
  input_.now = "2026-11-21T10:00:07Z";
  EXPECT_EQ(assemble().instruction(), "07");
}

TEST_F(Memo, RendersATextAgainIfAnIncludedTemplateHasTheTime) {
  jinja::Options options;
  options.templates = {{"clock", "{{ strftime_now('%S') }}"}};
  const std::string source = "{% include 'clock' %}";
  const templates::JinjaTemplate compiled(source, options, nullptr);
  ASSERT_TRUE(compiled.compiled());
  input_.staticText = templated(source);
  input_.staticText.compiled = &compiled;
  setInstruction("go");
  EXPECT_EQ(assemble().instruction(), "00");
  input_.now = "2026-11-21T10:00:07Z";
  EXPECT_EQ(assemble().instruction(), "07");
}

TEST_F(Memo, QuotesTheHistoryOfARewoundThreadAgain) {
  buffer(10);
  setInstruction("go");
  add({user("one"), model("two"), user("three"), model("four")});
  EXPECT_NE(assemble().instruction().find("\"one\""), std::string::npos);
  thread_.rewind(0);
  add({user("uno"), model("due"), user("tre"), model("quattro")});
  const std::string now = assemble().instruction();
  EXPECT_NE(now.find("\"uno\""), std::string::npos);
  EXPECT_EQ(now.find("\"one\""), std::string::npos);
}

TEST_F(Memo, ReadsChangedFieldsAgain) {
  RequestField field;
  EXPECT_EQ(field.digest(), sha256(""));
  for (const std::string_view json : {R"(["a"])", R"(["a"])", R"({"b":1})", ""}) {
    EXPECT_TRUE(field.read(json));
    EXPECT_EQ(field.digest(), sha256(json));
    EXPECT_EQ(field.tokens(), static_cast<uint32_t>(tokens::estimateText(json)));
  }
}

TEST_F(Memo, KeepsAFieldAfterAnError) {
  RequestField field;
  ASSERT_TRUE(field.read("[1]"));
  for (int time = 0; time < 2; ++time) {
    const Status status = field.read("[1");
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, "json.invalid");
    EXPECT_EQ(field.digest(), sha256("[1]"));
  }
}

// After appends, forks and rewinds an assembler returns the same as a new one.
TEST_F(Memo, NeverChangesARequest) {
  test::RandomHistory random(3);
  const std::vector<std::string> texts = {"Be brief.", "Be long.", ""};
  const std::vector<std::string> states = {"", R"({"a":1})", "no json"};
  const std::vector<std::string> tools = {"", "[]", R"([{"functionDeclarations":[{"name":"1"}]}])"};
  thread::Thread fork = thread_;
  for (int step = 0; step < 400; ++step) {
    if (random.below(6) == 0) std::swap(fork, thread_);
    if (random.below(8) == 0) fork = thread_;
    if (random.below(5) == 0) thread_.rewind(random.below(thread_.size() + 1));
    const std::string words = std::to_string(step);
    add({user(words), model("to " + words)});
    useTexts(texts[random.below(3)], states[random.below(3)]);
    input_.tools = tools[random.below(3)];
    input_.staticAsUser = random.below(4) == 0;
    input_.cacheContents = random.below(4) == 0;
    buffer(static_cast<int64_t>(random.below(80)));
    if (random.below(2) == 0) input_.staticText = defaultTemplate(Layer::kStatic);
    setInstruction("go");
    Assembler fresh;
    const AssembledRequest expected(fresh.assemble(thread_, input_));
    const AssembledRequest request = assemble();
    ASSERT_EQ(request.body, expected.body) << step;
    ASSERT_EQ(request.report.text(), expected.report.text()) << step;
  }
}

}  // namespace
}  // namespace strata::layers
