#include "schemas/judge.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "json/tape.h"

namespace strata::schemas {
namespace {

using catalogue::Finding;
using gemini::Backend;

struct Judged {
  const char* name;
  Form form;
  std::string schema;
  std::vector<std::string> found = {};  // "severity code path Google's words"
  const char* model = "gemini-3.8-flash";
  Backend backend = Backend::kGemini;
  Use use = Use::kArguments;
};

constexpr const char* kPlace = "tools[0].function_declarations[1].parameters";

const std::string kSchema = "type.googleapis.com/google.ai.generativelanguage.v1beta.Schema)";

std::string repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

std::string at(const std::string& rest) { return kPlace + rest; }

std::string property(const std::string& schema) {
  return R"({"type":"object","properties":{"a":)" + schema + "}}";
}

std::vector<std::string> findingsOf(const Judged& given) {
  const catalogue::Catalogue catalogue;
  catalogue::Target target;
  target.catalogue = &catalogue;
  target.model = &catalogue.model(given.model);
  target.backend = given.backend;
  const Result<json::Tape> tape = json::Tape::read(given.schema);
  EXPECT_TRUE(tape) << given.schema;
  Subject subject;
  subject.schema = tape.value().root();
  subject.form = given.form;
  subject.use = given.use;
  subject.path = given.use == Use::kResponse ? "/generationConfig/responseSchema"
                                             : "/tools/0/functionDeclarations/1/parameters";
  const Result<json::Tape> function = json::Tape::read("\"f\"");
  subject.function = function.value().root();
  catalogue::Findings findings;
  judge(subject, target, findings);
  std::vector<std::string> found;
  for (const Finding& finding : findings) {
    const auto severity = target.severity(finding);
    if (severity == catalogue::Severity::kOff) continue;
    const auto& row = catalogue.rule(finding.rule);
    const bool words =
        finding.hasUpstream && !row.upstream[static_cast<size_t>(given.backend)].empty();
    found.push_back(std::string(severityName(severity)) + " " + std::string(row.code) + " " +
                    finding.path.substr(subject.path.size()) + (words ? " " + finding.arg2 : ""));
  }
  return found;
}

std::vector<Judged> cases() {
  const Form google = Form::kGoogle;
  const Form json = Form::kJsonSchema;
  const std::string plain =
      R"({"type":"OBJECT","properties":{"a":{"type":"string","enum":["x"]}}})";
  const Backend vertex = Backend::kVertex;
  return {
      {"plain", google, plain},
      {"plain on Vertex AI", google, plain, {}, "gemini-3.8-flash", vertex},
      {"plain JSON Schema", json, plain},
      {"snake_case", google,
       R"({"type":"OBJECT","properties":{"a":{"type":"ARRAY","items":{"type":"STRING"},"min_items":"1","max_items":2}},"property_ordering":["a"]})"},
      {"an unknown keyword",
       google,
       property(R"({"type":"string","const":"x"})"),
       {"error schema.unknown_keyword /properties/a/const \"const\" at '" +
        at(".properties[0].value'")}},
      {"a keyword that Vertex AI knows",
       google,
       property(R"({"type":"object","additionalProperties":{"type":"string"}})"),
       {"error schema.unknown_keyword /properties/a/additionalProperties "
        "\"additionalProperties\" at '" +
            at(".properties[0].value'"),
        "error schema.empty_object /properties/a " +
            at(".properties[a].properties: should be non-empty for OBJECT type")}},
      {"the same on Vertex AI",
       google,
       property(R"({"type":"object","additionalProperties":{"type":"string"}})"),
       {},
       "gemini-3.8-flash",
       vertex},
      {"an unknown keyword in anyOf",
       google,
       property(R"({"anyOf":[{"type":"string"},{"const":1}]})"),
       {"error schema.unknown_keyword /properties/a/anyOf/1/const \"const\" at '" +
        at(".properties[0].value.any_of[1]'")}},
      {"a list of types",
       google,
       property(R"({"type":["string","null"]})"),
       {"error schema.not_repeating /properties/a/type \"type\" at '" +
        at(".properties[0].value'")}},
      {"a list of types in JSON Schema", json, property(R"({"type":["string","null"]})")},
      {"a word that is no type",
       google,
       property(R"({"type":"any"})"),
       {"error schema.invalid_value /properties/a/type '" + at(".properties[0].value.type'") +
        " (type.googleapis.com/google.ai.generativelanguage.v1beta.Type), \"any\""}},
      {"a type of the protobuf enum", google,
       property(R"({"type":6,"properties":{"b":{"type":1}}})")},
      {"an enum of numbers",
       google,
       property(R"({"type":"integer","enum":[0,1]})"),
       {"error schema.invalid_value /properties/a/enum/0 '" + at(".properties[0].value.enum[0]'") +
        " (TYPE_STRING), 0"}},
      {"an enum of numbers in JSON Schema", json, property(R"({"type":"integer","enum":[0,1]})")},
      {"an enum that is not of texts",
       google,
       property(R"({"type":"integer","enum":["0"]})"),
       {"error schema.wrong_type /properties/a/enum " +
        at(".properties[a].enum: only allowed for STRING type")}},
      {"an enum without a type",
       google,
       property(R"({"enum":["0"]})"),
       {"error schema.wrong_type /properties/a/enum " +
        at(".properties[a].enum: only allowed for STRING type")}},
      {"an enum of another type on Vertex AI",
       google,
       property(R"({"type":"integer","format":"enum","enum":["0"]})"),
       {},
       "gemini-3.8-flash",
       vertex},
      {"an empty value of an enum",
       google,
       property(R"({"type":"string","enum":["x",""]})"),
       {"error schema.empty_enum_value /properties/a/enum/1 " +
        at(".properties[a].enum[1]: cannot be empty")}},
      {"required names",
       google,
       R"({"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["b","a","c","b"]})",
       {"error schema.required_undefined /required/2 " +
        at(".required[2]: property is not defined")}},
      {"required names with escapes", google,
       R"({"type":"object","properties":{"\u0061":{"type":"string"}},"required":["a"]})"},
      {"no properties at the root", google, R"({"type":"OBJECT","properties":{}})"},
      {"no properties in the response",
       google,
       R"({"type":"OBJECT"})",
       {"warning schema.empty_object "},
       "gemini-3.8-flash",
       Backend::kGemini,
       Use::kResponse},
      {"no properties in a property",
       google,
       property(R"({"type":"object"})"),
       {"error schema.empty_object /properties/a " +
        at(".properties[a].properties: should be non-empty for OBJECT type")}},
      {"no properties on Vertex AI",
       google,
       property(R"({"type":"object"})"),
       {"warning schema.empty_object /properties/a"},
       "gemini-3.8-flash",
       vertex},
      {"properties of a text",
       google,
       property(R"({"type":"string","properties":{"b":{"type":"string"}},"required":["b"]})"),
       {"error schema.wrong_type /properties/a/properties " +
            at(".properties[a].properties: only allowed for OBJECT type"),
        "error schema.wrong_type /properties/a/required " +
            at(".properties[a].required: only allowed for OBJECT type")}},
      {"items of a text",
       google,
       property(R"({"type":"string","items":{"type":"string"}})"),
       {"error schema.wrong_type /properties/a/items " +
        at(".properties[a].items: field predicate failed: $type == Type.ARRAY")}},
      {"no items",
       google,
       property(R"({"type":"array"})"),
       {"error schema.items_missing /properties/a " + at(".properties[a].items: missing field")}},
      {"any items", google, property(R"({"type":"array","items":{}})")},
      {"a format",
       google,
       property(R"({"type":"string","format":"uri"})"),
       {"error schema.format_unsupported /properties/a/format " +
        at(".properties[a].format: only 'enum' and 'date-time' are supported for STRING type")}},
      {"formats that are known", google,
       R"({"type":"object","properties":{"a":{"type":"string","format":"date-time"},"b":{"type":"integer","format":"int64"},"c":{"type":"number","format":"float"}}})"},
      {"a format of a number",
       google,
       property(R"({"type":"integer","format":"uint8"})"),
       {"warning schema.format_unsupported /properties/a/format"}},
      {"a format on Vertex AI",
       google,
       property(R"({"type":"string","format":"uri"})"),
       {},
       "gemini-3.8-flash",
       vertex},
      {"no type on Vertex AI",
       google,
       property(R"({"description":"x"})"),
       {"error schema.type_missing /properties/a `f` functionDeclaration `parameters.a`"},
       "gemini-3.8-flash",
       vertex},
      {"no type", google, property(R"({"description":"x"})")},
      {"no type at the root on Vertex AI",
       google,
       R"({"description":"x"})",
       {"error schema.root_not_object  f"},
       "gemini-3.8-flash",
       vertex},
      {"no object at the root",
       google,
       R"({"type":"string"})",
       {"warning schema.root_not_object "}},
      {"a description beside anyOf", google,
       property(R"({"description":"x","anyOf":[{"type":"string"}]})")},
      {"a description beside anyOf on Vertex AI",
       google,
       property(R"({"description":"x","anyOf":[{"type":"string"}],"nullable":true})"),
       {"error schema.any_of_siblings /properties/a/nullable `f` functionDeclaration "
        "`parameters.a`"},
       "gemini-3.8-flash",
       vertex},
      {"a reference", json,
       R"({"type":"object","properties":{"a":{"$ref":"#/$defs/A","description":"x"}},"$defs":{"A":{"type":"string"}}})"},
      {"a reference at the root", json,
       R"({"$ref":"#/$defs/A","title":"A","$defs":{"A":{"type":"object","properties":{"b":{"$ref":"#"}}}}})"},
      {"a reference to an anchor", json,
       R"({"type":"object","properties":{"a":{"$ref":"#node"}},"$defs":{"A":{"$anchor":"node","type":"string"}}})"},
      {"a reference with an escape", json,
       R"({"type":"object","properties":{"a":{"$ref":"#/$defs/%41"}},"$defs":{"A":{"type":"string"}}})"},
      {"a reference beside other keywords",
       json,
       R"({"type":"object","properties":{"a":{"$ref":"#/$defs/A","type":"string"}},"$defs":{"A":{"type":"string"}}})",
       {"error schema.ref_siblings /properties/a/type A"}},
      {"a reference to nothing",
       json,
       property(R"({"anyOf":[{"type":"null"},{"$ref":"#/$defs/A"}]})"),
       {"error schema.ref_undefined /properties/a/anyOf/1/$ref properties.a.anyOf.1"}},
      {"a reference in Google's Schema",
       google,
       property(R"({"$ref":"#/$defs/A"})"),
       {"error schema.unknown_keyword /properties/a/$ref \"$ref\" at '" +
        at(".properties[0].value'")}},
      {"keywords that are ignored",
       json,
       R"({"type":"object","properties":{"a":{"type":"string","pattern":"x"},"b":{"type":"string","pattern":"y","x-own":1}}})",
       {"info schema.keyword_ignored /properties/a/pattern",
        "info schema.keyword_ignored /properties/b/x-own"}},
      {"notes of JSON Schema", json,
       R"({"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"a":{"type":"string","default":"x","examples":["y"]}}})"},
      {"the inside of zod 3",
       google,
       R"({"_def":{"typeName":"ZodObject"},"~standard":{"version":1,"vendor":"zod"},"_cached":null})",
       {"error schema.validator_object  \"_def\" at '" + at("'")}},
      {"the inside of zod 4",
       json,
       R"({"~standard":{"vendor":"zod","version":1},"def":{"type":"object"},"type":"object"})",
       {"warning schema.validator_object "}},
      {"the inside of zod 4.6",
       json,
       R"({"def":{"type":"object","shape":{}},"type":"object"})",
       {"warning schema.validator_object "}},
      {"a property with the name def", json,
       R"({"type":"object","properties":{"def":{"type":"string"}}})"},
      {"the inside of a property",
       google,
       property(R"({"~standard":{"vendor":"valibot","version":1},"kind":"schema"})"),
       {"error schema.validator_object /properties/a \"~standard\" at '" +
        at(".properties[0].value'")}},
      {"a deep response",
       google,
       repeated(R"({"type":"object","properties":{"a":)", 6) + R"({"type":"string"})" +
           repeated("}}", 6),
       {"warning schema.too_deep " + repeated("/properties/a", 5) +
        " A schema in GenerationConfig in the request"},
       "gemini-3.8-flash",
       Backend::kGemini,
       Use::kResponse},
      {"a response that is as deep as recorded ones",
       google,
       repeated(R"({"type":"object","properties":{"a":)", 5) + R"({"type":"string"})" +
           repeated("}}", 5),
       {},
       "gemini-3.8-flash",
       Backend::kGemini,
       Use::kResponse},
      {"long lists",
       google,
       R"({"type":"object","properties":{"a":{"type":"array","items":{"type":"string"},"maxItems":"500"},"b":{"type":"array","items":{"type":"string"},"maxItems":461}}})",
       {"error schema.max_items  "},
       "gemini-3.8-flash",
       Backend::kGemini,
       Use::kResponse},
      {"shorter lists",
       google,
       R"({"type":"object","properties":{"a":{"type":"array","items":{"type":"string"},"maxItems":960}}})",
       {},
       "gemini-3.8-flash",
       Backend::kGemini,
       Use::kResponse},
      {"long lists of another generation",
       json,
       R"({"type":"object","properties":{"a":{"type":"array","items":{"type":"string"},"maxItems":961}}})",
       {"warning schema.max_items  "},
       "gemini-2.5-flash",
       Backend::kGemini,
       Use::kResponse},
      {"many states",
       json,
       property(R"({"type":"array","maxItems":900,"items":{"type":"string","enum":[)" +
                repeated("\"0123456789\",", 3) + "\"x\"]}}"),
       {"warning schema.too_many_states  "},
       "gemini-3.8-flash",
       Backend::kGemini,
       Use::kResponse},
      {"a schema that is no object", google, "[]", {"error schema.invalid_value "}},
      {"a schema that is a name",
       google,
       R"({"type":"object","properties":{"a":"string"}})",
       {"error schema.invalid_value /properties/a '" + at(".properties[0].value' (") + kSchema +
        ", \"string\""}},
      {"an empty map of PHP",
       google,
       R"({"type":"object","properties":[]})",
       {"error schema.invalid_value /properties '" + at("' (Map), ") +
        "Cannot bind a list to map for field 'properties'."}},
      {"a flag in place of required names",
       google,
       property(R"({"type":"string","required":true})"),
       {"error schema.invalid_value /properties/a/required '" +
        at(".properties[0].value.required' (TYPE_STRING), true")}},
      {"a required name that is no string",
       google,
       R"({"type":"object","properties":{"a":{"type":"string"}},"required":["a",1]})",
       {"error schema.invalid_value /required/1 '" + at(".required[1]' (TYPE_STRING), 1"),
        "error schema.required_undefined /required/1 " +
            at(".required[1]: property is not defined")}},
      {"a description that is no string",
       google,
       property(R"({"type":"string","description":5})"),
       {"error schema.invalid_value /properties/a/description '" +
        at(".properties[0].value.description' (TYPE_STRING), 5")}},
      {"a description that is a list",
       google,
       property(R"({"type":"string","description":["b"]})"),
       {"error schema.not_repeating /properties/a/description \"description\" at '" +
        at(".properties[0].value'")}},
      {"items that are a flag",
       google,
       property(R"({"type":"array","items":true})"),
       {"error schema.invalid_value /properties/a/items '" + at(".properties[0].value.items' (") +
        kSchema + ", true"}},
      {"limits that are no numbers",
       google,
       property(R"({"type":"array","items":{"type":"number","minimum":"x"},"minItems":1.5})"),
       {"error schema.invalid_value /properties/a/minItems '" +
            at(".properties[0].value.min_items' (TYPE_INT64), 1.5"),
        "error schema.invalid_value /properties/a/items/minimum '" +
            at(".properties[0].value.items.minimum' (TYPE_DOUBLE), \"x\"")}},
      {"a nullable that is a number",
       google,
       property(R"({"type":"string","nullable":1})"),
       {"error schema.invalid_value /properties/a/nullable '" +
        at(".properties[0].value.nullable' (TYPE_BOOL), 1")}},
      {"values that ProtoJSON reads", google,
       property(
           R"({"type":"string","nullable":"true","title":null,"minLength":"2","maxLength":3.0})")},
      {"what JSON Schema allows", json, property(R"({"type":"array","items":true})")},
      {"a boolean schema", json, "true"},
  };
}

class Judging : public testing::TestWithParam<Judged> {};

TEST_P(Judging, FindsThePlaceAndGooglesWords) {
  EXPECT_EQ(findingsOf(GetParam()), GetParam().found) << GetParam().schema;
}

INSTANTIATE_TEST_SUITE_P(Schemas, Judging, testing::ValuesIn(cases()), [](const auto& each) {
  std::string name;
  for (const char c : std::string(each.param.name)) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
    if (c == ' ') name += '_';
  }
  return name;
});

// Each name is compared with all properties, each reference with all definitions.
TEST(Judge, StopsLookingUpNamesInVeryLargeSchemas) {
  const auto findings = [](int count) {
    std::string properties, required, definitions;
    for (int i = 0; i < count; ++i) {
      const std::string name = "\"p" + std::to_string(i) + "\"";
      properties += name + ":{},";
      required += name + ",";
      definitions += name + R"(:{"$ref":"#/$defs/p)" + std::to_string(i) + "\"},";
    }
    Judged given = {"", Form::kJsonSchema,
                    R"({"type":"object","properties":{)" + properties +
                        R"("a":{"$ref":"#/$defs/none"}},"required":[)" + required +
                        R"("none"],"$defs":{)" + definitions + R"("b":{}}})"};
    return findingsOf(given).size();
  };
  EXPECT_EQ(findings(10), 2U);
  EXPECT_EQ(findings(50'000), 1U);  // The first reference.
}

TEST(Judge, ReportsEachOfManyIgnoredKeywordsOnceUpToTheBound) {
  const auto findings = [](int count) {
    std::string keywords;
    for (int i = 0; i < count; ++i) keywords += ",\"x" + std::to_string(i) + "\":1";
    const Judged given = {"", Form::kJsonSchema,
                          R"({"type":"object","properties":{"a":{"type":"string")" + keywords +
                              "}}" + keywords + "}"};
    return findingsOf(given).size();
  };
  EXPECT_EQ(findings(60), 60U);
  EXPECT_EQ(findings(50'000), catalogue::Findings::kMostPerGroup);
}

}  // namespace
}  // namespace strata::schemas
