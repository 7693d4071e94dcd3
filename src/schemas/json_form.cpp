#include "schemas/json_form.h"

#include <charconv>
#include <nlohmann/json.hpp>
#include <string>

#include "base/text_index.h"
#include "json/tape.h"
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
    for (const std::string_view name : {"definitions", "defs"}) {
      const bool moves = memberOf(root, name) != nullptr && memberOf(root, "$defs") == nullptr;
      if (moves) definitions_ = name;
    }
  }

 private:
  void edit(Document& schema, bool isRoot) override {
    if (form() == Form::kGoogle) readGoogleNames(schema);
    readPhpMap(schema);
    liftRequired(schema);
    renameTypes(schema);
    if (!memberOf(schema, "enum")) wrapMember(schema, "const", "enum");
    replaceExclusive(schema, "exclusiveMinimum", "minimum", 1);
    replaceExclusive(schema, "exclusiveMaximum", "maximum", -1);
    if (isRoot && !definitions_.empty()) renameMember(schema, definitions_, "$defs");
    moveReference(schema);
    replaceNullable(schema);
  }

  // PHP writes an empty map as a list.
  static void readPhpMap(Document& schema) {
    Document* properties = memberOf(schema, "properties");
    if (properties != nullptr && properties->is_array() && sizeOf(properties) == 0)
      *properties = Document(Document::value_t::object);
  }

  // In the first drafts, a property says itself whether it is required.
  static void liftRequired(Document& schema) {
    Document* properties = memberOf(schema, "properties");
    if (properties == nullptr || !properties->is_object()) return;
    Document names = emptyList();
    for (auto& [name, property] : *properties->get_ptr<Document::object_t*>()) {
      const Document* given = memberOf(property, "required");
      if (given == nullptr || !given->is_boolean()) continue;
      if (*given->get_ptr<const bool*>()) append(names, textDocument(name));
      removeMember(property, "required");
    }
    addRequired(schema, names);
  }

  static void addRequired(Document& schema, const Document& names) {
    if (sizeOf(&names) == 0) return;
    if (!memberOf(schema, "required")) setMember(schema, "required", emptyList());
    Document& required = *memberOf(schema, "required");
    TextIndex known;
    for (size_t i = 0; i < sizeOf(&required); ++i) {
      const auto* name = elementOf(required, i).get_ptr<const std::string*>();
      if (name != nullptr) known.add(*name, 0);
    }
    for (size_t i = 0; i < sizeOf(&names); ++i) {
      const Document& name = elementOf(names, i);
      if (known.find(*name.get_ptr<const std::string*>()) < 0) append(required, name);
    }
  }

  // Replaces {name: value} by {newName: [value]}.
  static void wrapMember(Document& schema, std::string_view name, std::string_view newName) {
    if (!memberOf(schema, name)) return;
    renameMember(schema, name, newName);
    Document* value = memberOf(schema, newName);
    *value = listOf(std::move(*value));
  }

  static void readGoogleNames(Document& schema) {
    if (memberOf(schema, "ref")) renameMember(schema, "ref", "$ref");
    for (const std::string_view name : kCounts) {
      const std::string_view digits = textOf(schema, name);
      int64_t count = 0;
      const char* const end = digits.data() + digits.size();
      const auto [last, error] = std::from_chars(digits.data(), end, count);
      if (!digits.empty() && last == end && error == std::errc()) setMember(schema, name, count);
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

  // The exclusive limit of an integer has an inclusive one that accepts the same integers.
  static void replaceExclusive(Document& schema, std::string_view name, std::string_view inclusive,
                               int64_t step) {
    Document* given = memberOf(schema, name);
    auto* limit = given != nullptr ? given->get_ptr<int64_t*>() : nullptr;
    if (limit == nullptr || memberOf(schema, inclusive) || typeIn(schema) != Type::kInteger) return;
    if (*limit > INT32_MAX || *limit < INT32_MIN) return;
    *limit += step;
    renameMember(schema, name, inclusive);
  }

  // Only description and default may stand beside a reference. All of one schema, and any of one
  // schema, are the same.
  void moveReference(Document& schema) const {
    Document* reference = memberOf(schema, "$ref");
    const std::string prefix = "#/" + std::string(definitions_) + "/";
    const std::string_view target = textOf(schema, "$ref");
    if (!definitions_.empty() && target.starts_with(prefix)) {
      *reference = textDocument("#/$defs/" + std::string(target.substr(prefix.size())));
    }
    if (memberOf(schema, "anyOf")) return;
    if (reference == nullptr) {
      if (sizeOf(memberOf(schema, "allOf")) == 1) renameMember(schema, "allOf", "anyOf");
    } else if (!hasOnlyNotes(schema, {"$ref", "$defs", "definitions"})) {
      Document member = objectWith("$ref", *reference);
      renameMember(schema, "$ref", "anyOf");
      setMember(schema, "anyOf", listOf(std::move(member)));
    }
  }

  // Adds null to a type or to a list of types.
  static void addNull(Document& type) {
    if (typeOf(type) == Type::kNull) return;
    for (size_t i = 0; i < sizeOf(&type); ++i) {
      if (typeOf(elementOf(type, i)) == Type::kNull) return;
    }
    if (type.is_string()) type = listOf(std::move(type));
    append(type, textDocument("null"));
  }

  // `nullable` adds null to the values of the rest.
  static void replaceNullable(Document& schema) {
    const Document* nullable = memberOf(schema, "nullable");
    const auto* value = nullable != nullptr ? nullable->get_ptr<const bool*>() : nullptr;
    if (value == nullptr) return;
    const bool null = *value;
    removeMember(schema, "nullable");
    if (!null) return;
    Document* members = memberOf(schema, "anyOf");
    if (members != nullptr && hasOnlyNotes(schema, {"anyOf"})) {
      for (size_t i = 0; i < sizeOf(members); ++i) {
        if (isNullType(elementOf(*members, i))) return;
      }
      return append(*members, objectWith("type", textDocument("null")));
    }
    if (mayRefuseNull(schema)) {
      // Definitions stay where references look for them.
      Document definitions;
      if (Document* given = memberOf(schema, "$defs")) definitions = std::move(*given);
      removeMember(schema, "$defs");
      Document either = listOf(std::move(schema));
      append(either, objectWith("type", textDocument("null")));
      schema = objectWith("anyOf", std::move(either));
      if (!definitions.is_null()) setMember(schema, "$defs", std::move(definitions));
      return;
    }
    if (Document* type = memberOf(schema, "type")) addNull(*type);
    Document* values = memberOf(schema, "enum");
    if (values != nullptr && !containsNull(values)) append(*values, nullptr);
  }

  std::string_view definitions_;  // What becomes "$defs".
};

bool isNumeric(Type type) { return type == Type::kInteger || type == Type::kNumber; }

// Returns whether a type, or a list of types, has numbers and no texts.
bool isNumeric(const Document& type) {
  bool numeric = isNumeric(typeOf(type));
  for (size_t i = 0; i < sizeOf(&type); ++i) {
    const Type each = typeOf(elementOf(type, i));
    if (each == Type::kString) return false;
    numeric = numeric || isNumeric(each);
  }
  return numeric;
}

class EnumNumbers : public TreeEditor {
 public:
  EnumNumbers() : TreeEditor(Form::kJsonSchema) {}

 private:
  void edit(Document& schema, bool) override {
    const Document* type = memberOf(schema, "type");
    const Document* values = memberOf(schema, "enum");
    if (type == nullptr || values == nullptr || !isNumeric(*type)) return;
    Document numbers = emptyList();
    for (size_t i = 0; i < sizeOf(values); ++i) {
      const Document& value = elementOf(*values, i);
      const auto* text = value.get_ptr<const std::string*>();
      const std::string_view number = text != nullptr ? std::string_view(*text) : "0";
      const Result<json::Tape> tape = json::Tape::read(number);
      if (!tape || !tape.value().root().isNumber()) return;
      append(numbers, text != nullptr ? json::toDocument(tape.value().root()) : value);
    }
    setMember(schema, "enum", std::move(numbers));
  }
};

}  // namespace

void rewriteJsonSchema(Document& schema, Form from) { JsonForm(from, schema).run(schema); }

void readEnumNumbers(Document& schema) { EnumNumbers().run(schema); }

}  // namespace strata::schemas
