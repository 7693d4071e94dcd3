#include "schemas/fields.h"

#include "gemini/content_view.h"
#include "json/pointer.h"

namespace strata::schemas {
namespace {

struct Row {
  std::string_view name;
  Form form;
  Use use;
};

constexpr Row kDeclaration[] = {
    {"parameters", Form::kGoogle, Use::kArguments},
    {"parametersJsonSchema", Form::kJsonSchema, Use::kArguments},
    {"response", Form::kGoogle, Use::kResult},
    {"responseJsonSchema", Form::kJsonSchema, Use::kResult},
};

constexpr Row kConfig[] = {
    {"responseSchema", Form::kGoogle, Use::kResponse},
    {"responseJsonSchema", Form::kJsonSchema, Use::kResponse},
    {"_responseJsonSchema", Form::kJsonSchema, Use::kResponse},
};

template <size_t N>
void append(json::Value owner, const std::string& path, const Row (&rows)[N],
            std::vector<SchemaField>& fields) {
  for (const json::Member member : json::members(owner)) {
    if (member.value.isNull()) continue;
    for (const Row& row : rows) {
      if (!gemini::isField(member.key, row.name)) continue;
      SchemaField& field = fields.emplace_back();
      field.owner = owner;
      field.key = member.key;
      field.subject = {member.value, row.form, row.use, path + "/" + member.key.text(), {}};
      if (row.use != Use::kResponse) field.subject.function = gemini::field(owner, "name").text();
    }
  }
}

// Returns the value of a field and its path, in the spelling of the request.
Element fieldOf(json::Value object, const std::string& path, std::string_view name) {
  for (const json::Member member : json::members(object)) {
    if (gemini::isField(member.key, name)) return {member.value, path + "/" + member.key.text()};
  }
  return {};
}

}  // namespace

void appendDeclarationSchemas(json::Value declaration, const std::string& path,
                              std::vector<SchemaField>& fields) {
  append(declaration, path, kDeclaration, fields);
}

void appendResponseSchemas(json::Value config, const std::string& path,
                           std::vector<SchemaField>& fields) {
  append(config, path, kConfig, fields);
}

std::vector<Element> elementsOf(json::Value repeated, const std::string& path) {
  std::vector<Element> list;
  if (repeated.isObject()) list.push_back({repeated, path});
  for (const json::Value element : json::elements(repeated)) {
    list.push_back({element, path + "/" + std::to_string(list.size())});
  }
  return list;
}

std::vector<SchemaField> schemaFields(json::Value request, std::vector<Element>* declarations) {
  std::vector<SchemaField> fields;
  const Element tools = fieldOf(request, "", "tools");
  for (const Element& tool : elementsOf(tools.value, tools.path)) {
    const Element list = fieldOf(tool.value, tool.path, "functionDeclarations");
    for (Element& declaration : elementsOf(list.value, list.path)) {
      appendDeclarationSchemas(declaration.value, declaration.path, fields);
      if (declarations != nullptr) declarations->push_back(std::move(declaration));
    }
  }
  const Element config = fieldOf(request, "", "generationConfig");
  appendResponseSchemas(config.value, config.path, fields);
  return fields;
}

std::string jsonSchemaField(json::Value key) {
  std::string name = key.text();
  const bool snake = name.find('_') != name.npos;
  if (name == "response_schema" || name == "responseSchema") name = "response";
  return name + (snake ? "_json_schema" : "JsonSchema");
}

}  // namespace strata::schemas
