#include "schemas/rewrite.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "json/tape.h"

namespace strata::schemas {
namespace {

using gemini::Backend;

struct Case {
  const char* name;
  std::string schema;
  std::string rewritten;  // "" if there is nothing to rewrite
  Form form = Form::kGoogle;
  Backend backend = Backend::kGemini;
  bool mayMove = true;
};

std::string property(const std::string& schema) {
  return R"({"type":"object","properties":{"a":)" + schema + "}}";
}

class Fixture {
 public:
  explicit Fixture(const std::string& schema, Form form, Backend backend = Backend::kGemini)
      : tape_(json::Tape::read(schema)) {
    target_.catalogue = &catalogue_;
    target_.model = &catalogue_.model("gemini-3.8-flash");
    target_.backend = backend;
    subject_.schema = tape_.value().root();
    subject_.form = form;
  }
  std::optional<Rewriting> repair(bool mayMove) const {
    return repairSchema(subject_, target_, mayMove);
  }
  Rewriting convert() const { return toJsonSchema(subject_, target_); }

 private:
  catalogue::Catalogue catalogue_;
  catalogue::Target target_;
  Result<json::Tape> tape_;
  Subject subject_;
};

std::vector<Case> repairs() {
  const Form json = Form::kJsonSchema;
  const Backend vertex = Backend::kVertex;
  return {
      {"nothing wrong", property(R"({"type":"string"})"), ""},
      {"const", property(R"({"const":"x","description":"d"})"),
       property(R"({"enum":["x"],"description":"d","type":"string"})")},
      {"const in a union", property(R"({"anyOf":[{"const":"x"},{"const":"y"}]})"),
       property(R"({"anyOf":[{"enum":["x"],"type":"string"},{"enum":["y"],"type":"string"}]})")},
      {"an empty map of PHP", R"({"type":"object","properties":[]})",
       R"({"type":"object","properties":{}})"},
      {"properties that say whether they are required",
       R"({"type":"object","properties":{"a":{"type":"string","required":true},)"
       R"("b":{"type":"string","required":false},"c":{"type":"string","required":true}},"required":["c"]})",
       R"({"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"},)"
       R"("c":{"type":"string"}},"required":["c","a"]})"},
      {"any items", property(R"({"type":"array","items":true})"),
       property(R"({"type":"array","items":{}})")},
      {"a description that is no text", property(R"({"type":"string","description":5})"), "",
       Form::kGoogle, Backend::kGemini, false},
      {"a const that is no text", property(R"({"const":1})"), property(R"({"enum":[1]})"), json},
      {"a nullable type", property(R"({"type":["string","null"]})"),
       property(R"({"type":"string","nullable":true})")},
      {"a nullable list of types", property(R"({"type":["string","null"],"nullable":true})"),
       property(R"({"type":"string","nullable":true})")},
      {"a nullable enum", property(R"({"type":["string","null"],"enum":["x",null]})"),
       property(R"({"type":"string","enum":["x"],"nullable":true})")},
      {"an enum that refuses null", property(R"({"type":["string","null"],"enum":["x"]})"),
       property(R"({"type":"string","enum":["x"]})")},
      {"two types", property(R"({"type":["string","number"],"description":"d"})"),
       property(R"({"type":["string","number"],"description":"d"})"), Form::kJsonSchema},
      {"two types with a limit", property(R"({"type":["string","number"],"minimum":1})"),
       property(R"({"type":["string","number"],"minimum":1})"), json},
      {"a union with null beside another fault",
       property(R"({"anyOf":[{"$comment":"c","type":"string"},{"type":"null"}],"title":"t"})"),
       property(R"({"title":"t","type":"string","nullable":true})")},
      {"a union with null on Vertex AI",
       property(R"({"anyOf":[{"type":"string"},{"type":"null"}],"nullable":true})"),
       property(R"({"type":"string","nullable":true})"), Form::kGoogle, vertex},
      {"an enum without a type", property(R"({"enum":["x"]})"),
       property(R"({"enum":["x"],"type":"string"})")},
      {"an enum of numbers as texts",
       property(R"({"type":"INTEGER","enum":["1","2"],"nullable":true})"),
       property(R"({"type":["integer","null"],"enum":[1,2,null]})"), json},
      {"an enum of numbers", property(R"({"type":"INTEGER","enum":[1]})"),
       property(R"({"type":"integer","enum":[1]})"), json},
      {"closed objects",
       property(
           R"({"type":"object","properties":{"b":{"type":"string"}},"additionalProperties":false,"nullable":true})"),
       property(
           R"({"type":["object","null"],"properties":{"b":{"type":"string"}},"additionalProperties":false})"),
       json},
      {"open objects",
       R"({"type":"object","properties":{"b":{"type":"string"}},"additionalProperties":true})",
       R"({"type":"object","properties":{"b":{"type":"string"}}})"},
      {"what may not move stays", property(R"({"type":"string","format":"uri"})"), "",
       Form::kGoogle, Backend::kGemini, false},
      {"a part may be repaired",
       R"({"type":"object","properties":{"a":{"const":"x"},"b":{"type":"string","format":"uri"}}})",
       R"({"type":"object","properties":{"a":{"enum":["x"],"type":"string"},"b":{"type":"string","format":"uri"}}})",
       Form::kGoogle, Backend::kGemini, false},
      {"an exclusive limit of an integer", property(R"({"type":"integer","exclusiveMinimum":0})"),
       property(R"({"type":"integer","minimum":1})")},
      {"an exclusive limit of a number", property(R"({"type":"number","exclusiveMinimum":0})"),
       property(R"({"type":"number","exclusiveMinimum":0})"), json},
      {"items of a text", property(R"({"type":"string","items":{"type":"string"}})"),
       property(R"({"type":"string"})")},
      {"no items", property(R"({"type":"array"})"), property(R"({"type":"array","items":{}})")},
      {"no type at the root", R"({"properties":{"b":{"type":"string"}}})",
       R"({"properties":{"b":{"type":"string"}},"type":"object"})"},
      {"a type in mixed case", property(R"({"type":"String"})"), property(R"({"type":"string"})")},
      {"names in snake_case",
       R"({"type":"OBJECT","properties":{"b":{"any_of":[{"const":1}],"min_items":"2"}}})",
       R"({"type":"object","properties":{"b":{"anyOf":[{"enum":[1]}],"minItems":2}}})", json},
      {"a name that is not defined",
       R"({"type":"object","properties":{"b":{"type":"string"}},"required":["c"]})", ""},
      {"a keyword that keeps JSON Schema from being better until it is gone",
       R"({"type":"integer","properties":{"b":{"type":"type"}},"not":{"type":"string"}})",
       R"({"type":"integer","not":{"type":"string"}})", json},
      {"the object of a library", R"({"_def":{},"~standard":{"vendor":"zod"}})", ""},
      {"a definition",
       R"({"type":"object","properties":{"b":{"$ref":"#/definitions/B","minLength":1}},"definitions":{"B":{"type":"string"}}})",
       R"({"type":"object","properties":{"b":{"anyOf":[{"$ref":"#/$defs/B"}],"minLength":1}},"$defs":{"B":{"type":"string"}}})",
       json},
      {"a reference as Vertex AI names it",
       R"({"type":"object","properties":{"b":{"ref":"#/defs/B"}},"defs":{"B":{"type":"string"}}})",
       R"({"type":"object","properties":{"b":{"$ref":"#/$defs/B"}},"$defs":{"B":{"type":"string"}}})",
       json},
  };
}

class Repairing : public testing::TestWithParam<Case> {};

TEST_P(Repairing, WritesAnEquivalentSchema) {
  const Case& given = GetParam();
  const auto rewriting = Fixture(given.schema, Form::kGoogle, given.backend).repair(given.mayMove);
  EXPECT_EQ(rewriting ? rewriting->schema : "", given.rewritten);
  if (!rewriting) return;
  EXPECT_EQ(rewriting->form, given.form);
  EXPECT_FALSE(rewriting->repaired.empty());
  const auto again =
      Fixture(rewriting->schema, rewriting->form, given.backend).repair(given.mayMove);
  EXPECT_FALSE(again) << "repaired twice: " << again->schema;
}

std::string nameOf(const testing::TestParamInfo<Case>& info) {
  std::string name;
  for (const char c : std::string(info.param.name)) name += c == ' ' ? '_' : c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(Schemas, Repairing, testing::ValuesIn(repairs()), nameOf);

std::vector<Case> conversions() {
  return {
      {"plain", property(R"({"type":"string"})"), property(R"({"type":"string"})")},
      {"const", R"({"const":null})", R"({"enum":[null]})"},
      {"names of types", R"({"type":"STRING","nullable":true})", R"({"type":["string","null"]})"},
      {"a list with null", R"({"type":["string","null"],"nullable":true})",
       R"({"type":["string","null"]})"},
      {"nullable null", R"({"type":"null","nullable":true})", R"({"type":"null"})"},
      {"nullable enum", R"({"type":"string","enum":["x"],"nullable":true})",
       R"({"type":["string","null"],"enum":["x",null]})"},
      {"nullable union", R"({"anyOf":[{"type":"string"}],"nullable":true})",
       R"({"anyOf":[{"type":"string"},{"type":"null"}]})"},
      {"nullable reference", R"({"$ref":"#","nullable":true})",
       R"({"anyOf":[{"$ref":"#"},{"type":"null"}]})"},
      {"single allOf", R"({"allOf":[{"$ref":"#/$defs/A"}],"description":"d","$defs":{"A":{}}})",
       R"({"anyOf":[{"$ref":"#/$defs/A"}],"description":"d","$defs":{"A":{}}})"},
      {"nothing else", R"({"type":"object","additionalProperties":{"not":{}}})",
       R"({"type":"object","additionalProperties":{"not":{}}})"},
      {"what stays", R"({"type":"string","pattern":"x","not":{"const":"y"}})",
       R"({"type":"string","pattern":"x","not":{"enum":["y"]}})"},
  };
}

class Converting : public testing::TestWithParam<Case> {};

TEST_P(Converting, WritesDocumentedKeywords) {
  const Case& given = GetParam();
  EXPECT_EQ(Fixture(given.schema, Form::kJsonSchema).convert().schema, given.rewritten);
}

INSTANTIATE_TEST_SUITE_P(Schemas, Converting, testing::ValuesIn(conversions()), nameOf);

TEST(Rewriting, ListsWhatIsRepairedAndWhatIsLeft) {
  const std::string schema = R"({"type":"object","properties":{"a":{"const":"x","pattern":"y"}}})";
  const Rewriting result = Fixture(schema, Form::kJsonSchema).convert();
  ASSERT_EQ(result.repaired.size(), 1U);
  EXPECT_EQ(result.repaired[0].path, "/properties/a/const");
  ASSERT_EQ(result.left.size(), 1U);
  EXPECT_EQ(result.left[0].path, "/properties/a/pattern");
}

TEST(Rewriting, ReadsCountsThatAreWholeTexts) {
  const auto converted = [](const std::string& count) {
    return Fixture(R"({"type":"STRING","minLength":)" + count + "}", Form::kGoogle)
        .convert()
        .schema;
  };
  EXPECT_EQ(converted(R"("2")"), R"({"type":"string","minLength":2})");
  EXPECT_EQ(converted(R"("2x")"), R"({"type":"string","minLength":"2x"})");
}

TEST(Rewriting, LeavesVeryLargeSchemas) {
  const auto withProperties = [](int count) {
    std::string properties = R"("a":{"const":"x"})";
    for (int i = 0; i < count; ++i) properties += ",\"p" + std::to_string(i) + R"(":{})";
    return R"({"type":"object","properties":{)" + properties + "}}";
  };
  const std::string some = withProperties(100);
  const std::string many = withProperties(20'000);
  EXPECT_TRUE(Fixture(some, Form::kGoogle).repair(true));
  EXPECT_FALSE(Fixture(many, Form::kGoogle).repair(true));
  EXPECT_NE(Fixture(some, Form::kGoogle).convert().schema, some);
  const Rewriting same = Fixture(many, Form::kGoogle).convert();
  EXPECT_EQ(same.schema, many);
  EXPECT_TRUE(same.repaired.empty());
}

TEST(Rewriting, ComparesVeryManyFindings) {
  std::string schema = R"({"const":"x")";
  for (int i = 0; i < 9'000; ++i) schema += ",\"x" + std::to_string(i) + "\":1";
  const Rewriting result = Fixture(schema + "}", Form::kJsonSchema).convert();
  EXPECT_EQ(result.left.size(), 9'000U);
  ASSERT_EQ(result.repaired.size(), 1U);
  EXPECT_EQ(result.repaired[0].path, "/const");
}

}  // namespace
}  // namespace strata::schemas
