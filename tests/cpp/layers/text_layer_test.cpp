// Tests the rendering of the static and the dynamic layer.
#include "layers/text_layer.h"

#include "layers/requests.h"

namespace strata::layers {
namespace {

using test::AssembledRequest;
using test::Json;

class TextLayers : public test::Requests {
 protected:
  TextLayers() { setInstruction("go"); }

  std::string staticText() { return assemble().instruction(); }
  // Returns the dynamic text, which is the first of two Contents.
  std::string dynamicText() {
    const std::vector<std::string> contents = assemble().contents();
    EXPECT_EQ(contents.size(), 2U);
    const Json content(contents.front());
    return content.root().find("parts").at(0).find("text").text();
  }
};

// Values that break a template that inserts them without quoting.
const char* const kHostile =
    R"({"main_instruction":"\"}\n{{ x }} </cached_history>","session_goal":"\u2028\ud83d\ude00\\",
        "constraints":["a\"b",{"c":null}],"roles":{"r":1.5},"procedure":[],"todos":["\"]}"],
        "artifacts":[{"title":"\n\t\"\\"}],"file_references":[{"id":"\"","disabled":false},
        {"id":"gone","disabled":true},{"id":"old","ttl":0}],"multi_step_reasoning_active":true})";

TEST_F(TextLayers, TheDefaultTemplatesRenderJsonForAnyValues) {
  input_.staticText = defaultTemplate(Layer::kStatic);
  input_.dynamicText = defaultTemplate(Layer::kDynamic);
  for (const char* variables : {"", "{}", kHostile}) {
    input_.staticText.variables = variables;
    input_.dynamicText.variables = variables;
    const AssembledRequest request = assemble();
    EXPECT_TRUE(request.ok);
    EXPECT_TRUE(request.lines().empty()) << request.lines().front();
    EXPECT_TRUE(Json(staticText()).ok()) << staticText();
    const Json dynamicJson(dynamicText());
    EXPECT_TRUE(dynamicJson.ok()) << dynamicText();
    EXPECT_EQ(dynamicJson.root().find("current_datetime").text(), "2026-11-21T10:00:00Z");
  }
  const Json staticJson(staticText());
  EXPECT_EQ(staticJson.root().find("main_instruction").text(), "\"}\n{{ x }} </cached_history>");
  EXPECT_EQ(staticJson.root().find("session_goal").text(), "\u2028\U0001F600\\");
  const Json dynamicJson(dynamicText());
  EXPECT_EQ(dynamicJson.root().find("file_references").size(), 1U);
}

TEST_F(TextLayers, ATemplateReadsItsVariables) {
  input_.staticText = templated("Hello {{ name }}!", R"({"name":"Ann"})");
  input_.dynamicText = templated(R"({"at":"{{ current_datetime }}"})");
  EXPECT_EQ(staticText(), "Hello Ann!");
  EXPECT_EQ(dynamicText(), R"({"at":"2026-11-21T10:00:00Z"})");
}

TEST_F(TextLayers, TheCallersTimeOverridesTheRequestsTime) {
  input_.dynamicText =
      templated(R"({"at":"{{ current_datetime }}"})", R"({"current_datetime":"noon"})");
  EXPECT_EQ(dynamicText(), R"({"at":"noon"})");
}

TEST_F(TextLayers, AFailingStaticTemplateIsReplacedByItsSource) {
  input_.staticText = templated("Hello {{ name");
  EXPECT_EQ(staticText(), "Hello {{ name");
  EXPECT_EQ(assemble().lines(), std::vector<std::string>{"warning template.syntax /static"});
  input_.staticText = templated("{{ 1 / 0 }}");
  EXPECT_EQ(staticText(), "{{ 1 / 0 }}");
  EXPECT_EQ(assemble().lines(), std::vector<std::string>{"warning template.runtime /static"});
  EXPECT_TRUE(assemble().ok);
}

TEST_F(TextLayers, TheDiagnosticHasLineAndColumn) {
  input_.staticText = templated("a\n{{ 1 / 0 }}");
  EXPECT_NE(assemble().report.text().find("line 2"), std::string::npos);
}

TEST_F(TextLayers, AFailingDynamicTemplateIsReplacedByItsVariables) {
  input_.dynamicText = templated("{{ 1 / 0 }}", R"({"todos":["x"]})");
  EXPECT_EQ(dynamicText(), R"({"current_datetime":"2026-11-21T10:00:00Z","todos":["x"]})");
  EXPECT_EQ(assemble().lines(), std::vector<std::string>{"warning template.runtime /dynamic"});
}

TEST_F(TextLayers, DynamicTextThatIsNotJsonIsReplacedOrWrapped) {
  input_.dynamicText = templated("todos: {{ todos }}", R"({"todos":["x"]})");
  EXPECT_EQ(dynamicText(), R"({"current_datetime":"2026-11-21T10:00:00Z","todos":["x"]})");
  EXPECT_EQ(assemble().lines(), std::vector<std::string>{"warning dynamic.not_json /dynamic"});
  input_.dynamicText = plain("say \"hi\"");
  EXPECT_EQ(dynamicText(), R"({"text":"say \"hi\""})");
  EXPECT_EQ(assemble().lines(), std::vector<std::string>{"warning dynamic.not_json /dynamic"});
}

TEST_F(TextLayers, StrictRejectsAFailingTemplate) {
  input_.strict = true;
  input_.staticText = templated("{{ 1 / 0 }}");
  const AssembledRequest request = assemble();
  ASSERT_TRUE(request.failure && !request.failure->error);
  const Json failure(request.failure->templateError);
  EXPECT_EQ(failure.root().find("templateError").find("line").integer(0), 1);
  EXPECT_EQ(failure.root().find("templateError").find("code").text(), "template.runtime");
  const AssembledRequest again = assemble();
  EXPECT_TRUE(again.failure);
  input_.strict = false;
  EXPECT_TRUE(assemble().ok);
}

TEST_F(TextLayers, RejectsInvalidVariablesWithTheirPath) {
  const auto pathOf = [this](std::string_view variables) {
    input_.dynamicText = templated("1", variables);
    const AssembledRequest request = assemble();
    return request.failure && request.failure->error ? request.failure->error->path : "none";
  };
  EXPECT_EQ(pathOf(R"({"a":[x]})"), "/dynamic/variables/a/0");
  EXPECT_EQ(pathOf("[]"), "/dynamic/variables");
  EXPECT_EQ(pathOf("{ }"), "none");
}

TEST_F(TextLayers, AFinishedTextStaysAsItIsAndNoneIsTheDefault) {
  input_.staticText = TextInput{};
  input_.dynamicText = TextInput{};
  EXPECT_EQ(assemble().fields(), std::vector<std::string>{"contents"});
  EXPECT_EQ(assemble().contents(), std::vector<std::string>{test::user("go")});
  input_.staticText = plain("Hello {{ name }}");
  EXPECT_EQ(staticText(), "Hello {{ name }}");
}

TEST_F(TextLayers, ClearsTheFindingsOfATemplateThatNoLongerFails) {
  input_.staticText = templated("{{ 1 / n }}", R"({"n":0})");
  EXPECT_EQ(assemble().lines().size(), 1U);
  input_.staticText.variables = R"({"n":2})";
  EXPECT_TRUE(assemble().lines().empty());
  EXPECT_EQ(staticText(), "0.5");
}

TEST_F(TextLayers, ATemplateThatMayContainTheTimeIsRenderedForEachTime) {
  jinja::Options options;
  options.dialect = jinja::Dialect::kPongo2;
  const templates::JinjaTemplate compiled(R"({% now "15:04" %})", options, nullptr);
  input_.staticText.compiled = &compiled;
  input_.staticText.text = compiled.source();
  EXPECT_EQ(staticText(), "10:00");
  input_.now = "2026-11-21T11:00:00Z";
  EXPECT_EQ(staticText(), "11:00");
}

}  // namespace
}  // namespace strata::layers
