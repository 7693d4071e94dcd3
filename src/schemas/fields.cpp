#include "schemas/fields.h"

#include "gemini/content_view.h"

namespace strata::schemas {
namespace {

struct Row {
  std::string_view name;
  Form form;
  Use use;
};

// The last rows are fields of generationConfig, which shares the name responseJsonSchema with
// declarations.
constexpr Row kFields[] = {
    {"parameters", Form::kGoogle, Use::kArguments},
    {"parametersJsonSchema", Form::kJsonSchema, Use::kArguments},
    {"response", Form::kGoogle, Use::kResult},
    {"responseJsonSchema", Form::kJsonSchema, Use::kResult},
    {"responseSchema", Form::kGoogle, Use::kResponse},
    {"_responseJsonSchema", Form::kJsonSchema, Use::kResponse},
};

}  // namespace

void RequestVisitor::visit(json::Value request) {
  visitList(request, {}, "tools");
  visitList(request, {}, "generationConfig");
}

// Tools hold lists of declarations; declarations and the generationConfig hold schemas.
void RequestVisitor::visitList(json::Value owner, const std::string& path, std::string_view name) {
  for (const json::Member member : json::members(owner)) {
    if (!gemini::isField(member.key, name)) continue;
    const std::string list = path + "/" + member.key.text();
    const size_t count = member.value.isArray() ? member.value.size() : 1;
    json::Value item = member.value.isArray() ? member.value.first() : member.value;
    for (size_t i = 0; i < count; ++i) {
      const std::string here = member.value.isArray() ? list + "/" + std::to_string(i) : list;
      if (name == "tools") {
        visitList(item, here, "functionDeclarations");
      } else if (item.isObject()) {
        if (name == "functionDeclarations") declaration(item, here);
        visitFields(item, here);
      }
      if (i + 1 < count) item = item.next();
    }
  }
}

void RequestVisitor::visitFields(json::Value owner, const std::string& path) {
  const bool isConfig = path.find('/', 1) == path.npos;
  for (const json::Member member : json::members(owner)) {
    if (member.value.isNull()) continue;
    for (const Row& row : kFields) {
      const bool shared = row.use == Use::kResult && row.form == Form::kJsonSchema;
      const bool belongs = isConfig == (row.use == Use::kResponse) || (isConfig && shared);
      if (!belongs || !gemini::isField(member.key, row.name)) continue;
      const std::string fieldPath = path + "/" + member.key.text();
      const Use use = isConfig ? Use::kResponse : row.use;
      const SchemaField found = {
          owner,
          member.key,
          {member.value, row.form, use, fieldPath, gemini::field(owner, "name")}};
      field(found);
    }
  }
}

std::string jsonSchemaField(json::Value key) {
  std::string name = key.text();
  const bool snake = name.find('_') != name.npos;
  if (name == "response_schema" || name == "responseSchema") name = "response";
  return name + (snake ? "_json_schema" : "JsonSchema");
}

}  // namespace strata::schemas
