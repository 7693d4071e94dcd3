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

namespace {

using Members = Document::object_t;
using Elements = Document::array_t;

// Copies the members of an object. The member `name` gets another name, or is left out without one.
void rebuild(Document& object, std::string_view name, const std::string_view* newName) {
  Document rebuilt(Document::value_t::object);
  auto* members = rebuilt.get_ptr<Members*>();
  for (auto& member : *object.get_ptr<Members*>()) {
    const bool same = member.first == name;
    if (same && newName == nullptr) continue;
    members->emplace_back(same ? std::string(*newName) : member.first, std::move(member.second));
  }
  object = std::move(rebuilt);
}

}  // namespace

void removeMember(Document& object, std::string_view name) {
  if (memberOf(object, name) != nullptr) rebuild(object, name, nullptr);
}

void setMember(Document& object, std::string_view name, Document value) {
  if (Document* member = memberOf(object, name)) {
    *member = std::move(value);
  } else {
    object.get_ptr<Members*>()->emplace_back(std::string(name), std::move(value));
  }
}

void renameMember(Document& object, std::string_view name, std::string_view newName) {
  rebuild(object, name, &newName);
}

size_t sizeOf(const Document* list) {
  const auto* elements = list != nullptr ? list->get_ptr<const Elements*>() : nullptr;
  return elements != nullptr ? elements->size() : 0;
}

const Document& elementOf(const Document& list, size_t index) {
  return (*list.get_ptr<const Elements*>())[index];
}

Document& elementOf(Document& list, size_t index) { return (*list.get_ptr<Elements*>())[index]; }

void append(Document& list, Document element) {
  if (auto* elements = list.get_ptr<Elements*>()) elements->push_back(std::move(element));
}

Document textDocument(std::string_view text) { return std::string(text); }

Document emptyList() { return Document(Document::value_t::array); }

Document listOf(Document element) {
  Document list = emptyList();
  append(list, std::move(element));
  return list;
}

Document objectWith(std::string_view name, Document value) {
  Document object(Document::value_t::object);
  setMember(object, name, std::move(value));
  return object;
}

Type typeOf(const Document& name) {
  const auto* text = name.get_ptr<const std::string*>();
  return text != nullptr ? typeNamed(*text) : Type::kInvalid;
}

Type typeIn(const Document& schema) {
  const Document* type = memberOf(schema, "type");
  return type != nullptr ? typeOf(*type) : Type::kInvalid;
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

bool isNullType(const Document& schema) {
  return typeIn(schema) == Type::kNull && hasOnlyNotes(schema, {"type"});
}

bool mayRefuseNull(const Document& schema) {
  for (const std::string_view name :
       {"$ref", "ref", "anyOf", "oneOf", "allOf", "not", "if", "const"}) {
    if (memberOf(schema, name) != nullptr) return true;
  }
  return false;
}

bool containsNull(const Document* list) {
  for (size_t i = 0; i < sizeOf(list); ++i) {
    if (elementOf(*list, i).is_null()) return true;
  }
  return false;
}

void TreeEditor::visitAll(Document& container) {
  for (size_t i = 0; i < sizeOf(&container); ++i) visit(elementOf(container, i), false);
  if (auto* members = container.get_ptr<Members*>()) {
    for (auto& member : *members) visit(member.second, false);
  }
}

void TreeEditor::visit(Document& schema, bool isRoot) {
  if (!schema.is_object()) return;
  if (form_ == Form::kGoogle) useCamelCase(schema);
  for (auto& [name, value] : *schema.get_ptr<Members*>()) {
    const Keyword* keyword = findKeyword(name);
    if (keyword == nullptr || keyword->holds == Holds::kOther) continue;
    if (keyword->holds == Holds::kSchema) {
      visit(value, false);
    } else {
      visitAll(value);
    }
  }
  edit(schema, isRoot);
}

}  // namespace strata::schemas
