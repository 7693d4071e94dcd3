#include "schemas/tree.h"

#include <nlohmann/json.hpp>
#include <string>

#include "gemini/content_view.h"

namespace strata::schemas {
namespace {

using json::Document;

// Names of Google's Schema may be in snake_case.
void useCamelCase(Document& object) {
  std::vector<std::pair<std::string, std::string>> names;
  for (const auto& [name, value] : *object.get_ptr<Document::object_t*>()) {
    if (name.find('_') == name.npos) continue;
    std::string camelCase = gemini::toCamelCase(name);
    if (findKeyword(camelCase) != nullptr) names.emplace_back(name, std::move(camelCase));
  }
  for (const auto& [name, camelCase] : names) {
    if (memberOf(object, camelCase) == nullptr) renameMember(object, name, camelCase);
  }
}

}  // namespace

const Document* memberOf(const Document& object, std::string_view name) {
  const auto* members = object.get_ptr<const Document::object_t*>();
  if (members == nullptr) return nullptr;
  for (const auto& member : *members) {
    if (member.first == name) return &member.second;
  }
  return nullptr;
}

Document* memberOf(Document& object, std::string_view name) {
  return const_cast<Document*>(memberOf(std::as_const(object), name));
}

std::string_view textOf(const Document& object, std::string_view name) {
  const Document* member = memberOf(object, name);
  const auto* text = member != nullptr ? member->get_ptr<const std::string*>() : nullptr;
  return text != nullptr ? std::string_view(*text) : std::string_view();
}

void removeMember(Document& object, std::string_view name) { object.erase(std::string(name)); }

void setMember(Document& object, std::string_view name, Document value) {
  object[std::string(name)] = std::move(value);
}

void renameMember(Document& object, std::string_view name, std::string_view newName) {
  Document renamed = Document::object();
  auto* members = renamed.get_ptr<Document::object_t*>();
  for (auto& member : *object.get_ptr<Document::object_t*>()) {
    members->emplace_back(member.first == name ? std::string(newName) : member.first,
                          std::move(member.second));
  }
  object = std::move(renamed);
}

bool hasOnlyNotes(const Document& object, std::initializer_list<std::string_view> others) {
  for (const auto& [name, value] : *object.get_ptr<const Document::object_t*>()) {
    const Keyword* keyword = findKeyword(name);
    bool allowed = keyword != nullptr && (keyword->known & kNote) != 0;
    for (const std::string_view other : others) allowed = allowed || name == other;
    if (!allowed) return false;
  }
  return true;
}

bool mayRefuseNull(const Document& schema) {
  for (const std::string_view name :
       {"$ref", "ref", "anyOf", "oneOf", "allOf", "not", "if", "const"}) {
    if (memberOf(schema, name) != nullptr) return true;
  }
  return false;
}

namespace {

void replaceExclusive(Document& schema, std::string_view name, std::string_view inclusive,
                      int64_t step) {
  const Document* limit = memberOf(schema, name);
  if (limit == nullptr || !limit->is_number_integer()) return;
  const auto value = limit->get<int64_t>();
  const bool far = value > INT32_MAX || value < INT32_MIN;
  if (far || memberOf(schema, inclusive) != nullptr) return;
  renameMember(schema, name, inclusive);
  setMember(schema, inclusive, value + step);
}

}  // namespace

void replaceExclusiveLimits(Document& schema) {
  if (typeNamed(textOf(schema, "type")) != Type::kInteger) return;
  replaceExclusive(schema, "exclusiveMinimum", "minimum", 1);
  replaceExclusive(schema, "exclusiveMaximum", "maximum", -1);
}

void TreeEditor::visitAll(Document& container) {
  for (Document& each : container) visit(each, false);
}

void TreeEditor::visit(Document& schema, bool isRoot) {
  if (!schema.is_object()) return;
  if (form_ == Form::kGoogle) useCamelCase(schema);
  for (auto& [name, value] : *schema.get_ptr<Document::object_t*>()) {
    const Keyword* keyword = findKeyword(name);
    if (keyword == nullptr || keyword->holds == Holds::kOther) continue;
    if (keyword->holds == Holds::kSchema) {
      visit(value, false);
    } else if (value.is_structured()) {
      visitAll(value);
    }
  }
  edit(schema, isRoot);
}

}  // namespace strata::schemas
