#include "schemas/json_form.h"

#include <charconv>
#include <nlohmann/json.hpp>
#include <string>

#include "schemas/tree.h"

namespace strata::schemas {
namespace {

using json::Document;

// The protobuf type of these keywords is int64, which ProtoJSON may write as a string.
constexpr std::string_view kCounts[] = {"minItems",  "maxItems",      "minLength",
                                        "maxLength", "minProperties", "maxProperties"};

class JsonForm : public TreeEditor {
 public:
  JsonForm(Form from, const Document& root) : TreeEditor(from) {
    movesDefinitions_ =
        memberOf(root, "definitions") != nullptr && memberOf(root, "$defs") == nullptr;
  }

 private:
  void edit(Document& schema, bool isRoot) override {
    if (form() == Form::kGoogle) readGoogleNames(schema);
    renameTypes(schema);
    replaceConst(schema);
    replaceExclusiveLimits(schema);
    if (isRoot && movesDefinitions_) renameMember(schema, "definitions", "$defs");
    moveReference(schema);
    replaceSingleAllOf(schema);
    replaceNullable(schema);
    replaceNotAnything(schema);
  }

  static void readGoogleNames(Document& schema) {
    if (memberOf(schema, "defs") != nullptr) renameMember(schema, "defs", "$defs");
    const std::string_view ref = textOf(schema, "ref");
    if (!ref.empty()) {
      const bool defs = ref.starts_with("#/defs/");
      const std::string target = defs ? "#/$defs/" + std::string(ref.substr(7)) : std::string(ref);
      renameMember(schema, "ref", "$ref");
      setMember(schema, "$ref", textDocument(target));
    }
    for (const std::string_view name : kCounts) {
      const std::string_view digits = textOf(schema, name);
      int64_t count = 0;
      const char* const end = digits.data() + digits.size();
      const auto [last, error] = std::from_chars(digits.data(), end, count);
      if (!digits.empty() && last == end && error == std::errc()) setMember(schema, name, count);
    }
    if (const Document* example = memberOf(schema, "example")) {
      Document list = listOf(*example);
      renameMember(schema, "example", "examples");
      setMember(schema, "examples", std::move(list));
    }
  }

  static void renameType(Document& type) {
    const Type known = typeOf(type);
    if (known != Type::kInvalid) type = textDocument(typeName(known));
  }

  void renameTypes(Document& schema) const {
    Document* type = memberOf(schema, "type");
    if (type == nullptr) return;
    for (size_t i = 0; i < sizeOf(type); ++i) renameType(elementOf(*type, i));
    renameType(*type);
    const auto* number = form() == Form::kGoogle ? type->get_ptr<const int64_t*>() : nullptr;
    if (number != nullptr && *number > 0 && *number <= static_cast<int64_t>(Type::kNull)) {
      *type = textDocument(typeName(static_cast<Type>(*number)));
    }
    if (textOf(schema, "type") == "TYPE_UNSPECIFIED") removeMember(schema, "type");
  }

  static void replaceConst(Document& schema) {
    const Document* value = memberOf(schema, "const");
    if (value == nullptr || memberOf(schema, "enum") != nullptr) return;
    Document list = listOf(*value);
    renameMember(schema, "const", "enum");
    setMember(schema, "enum", std::move(list));
  }

  // Only description and default may stand beside a reference.
  void moveReference(Document& schema) const {
    std::string target(textOf(schema, "$ref"));
    if (target.empty()) return;
    if (movesDefinitions_ && target.starts_with("#/definitions/")) {
      target = "#/$defs/" + target.substr(14);
      setMember(schema, "$ref", textDocument(target));
    }
    const bool alone = hasOnlyNotes(schema, {"$ref", "$defs", "definitions"});
    if (alone || memberOf(schema, "anyOf") != nullptr) return;
    renameMember(schema, "$ref", "anyOf");
    setMember(schema, "anyOf", listOf(objectWith("$ref", textDocument(target))));
  }

  // All of one schema is the same as any of it.
  static void replaceSingleAllOf(Document& schema) {
    const Document* members = memberOf(schema, "allOf");
    if (sizeOf(members) != 1 || memberOf(schema, "anyOf") != nullptr ||
        memberOf(schema, "$ref") != nullptr)
      return;
    renameMember(schema, "allOf", "anyOf");
  }

  // `nullable` adds null to the values of the rest.
  static void replaceNullable(Document& schema) {
    const Document* nullable = memberOf(schema, "nullable");
    const auto* given = nullable != nullptr ? nullable->get_ptr<const bool*>() : nullptr;
    if (given == nullptr) return;
    const bool null = *given;
    removeMember(schema, "nullable");
    if (!null) return;
    const bool hasMembers = memberOf(schema, "anyOf") != nullptr;
    if (mayRefuseNull(schema) && !(hasMembers && hasOnlyNotes(schema, {"anyOf"}))) {
      Document either = listOf(std::move(schema));
      append(either, nullType());
      schema = objectWith("anyOf", std::move(either));
      return;
    }
    if (Document* type = memberOf(schema, "type")) addNullName(*type);
    if (Document* members = memberOf(schema, "anyOf")) append(*members, nullType());
    Document* values = memberOf(schema, "enum");
    bool has = false;
    for (size_t i = 0; i < sizeOf(values); ++i) has = has || elementOf(*values, i).is_null();
    if (sizeOf(values) > 0 && !has) append(*values, nullptr);
  }

  static Document nullType() { return objectWith("type", textDocument("null")); }

  static void addNullName(Document& type) {
    if (typeOf(type) == Type::kNull) return;
    if (type.is_string()) type = listOf(std::move(type));
    if (type.is_array()) append(type, textDocument("null"));
  }

  // What is not anything is nothing.
  static void replaceNotAnything(Document& schema) {
    Document* open = memberOf(schema, "additionalProperties");
    const Document* negated = open != nullptr ? memberOf(*open, "not") : nullptr;
    const auto* members =
        negated != nullptr ? negated->get_ptr<const Document::object_t*>() : nullptr;
    if (members == nullptr || !members->empty()) return;
    if (open->get_ptr<const Document::object_t*>()->size() == 1) *open = false;
  }

  bool movesDefinitions_;
};

}  // namespace

void rewriteJsonSchema(Document& schema, Form from) { JsonForm(from, schema).run(schema); }

}  // namespace strata::schemas
