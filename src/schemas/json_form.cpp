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
      setMember(schema, "$ref", target);
    }
    for (const std::string_view name : kCounts) {
      const std::string_view digits = textOf(schema, name);
      int64_t count = 0;
      const char* const end = digits.data() + digits.size();
      const auto [last, error] = std::from_chars(digits.data(), end, count);
      if (!digits.empty() && last == end && error == std::errc()) setMember(schema, name, count);
    }
    if (const Document* example = memberOf(schema, "example")) {
      const Document list = Document::array({*example});
      renameMember(schema, "example", "examples");
      setMember(schema, "examples", list);
    }
  }

  static Document renamedType(const Document& type) {
    const auto* name = type.get_ptr<const std::string*>();
    const Type known = name != nullptr ? typeNamed(*name, true) : Type::kInvalid;
    return known == Type::kInvalid ? type : Document(typeName(known));
  }

  void renameTypes(Document& schema) const {
    Document* type = memberOf(schema, "type");
    if (type == nullptr) return;
    if (type->is_array()) {
      for (Document& each : *type) each = renamedType(each);
    } else if (type->is_number_integer() && form() == Form::kGoogle) {
      const auto number = type->get<int64_t>();
      const bool valid = number > 0 && number <= static_cast<int64_t>(Type::kNull);
      if (valid) *type = typeName(static_cast<Type>(number));
    } else {
      *type = renamedType(*type);
    }
    if (textOf(schema, "type") == "TYPE_UNSPECIFIED") removeMember(schema, "type");
  }

  static void replaceConst(Document& schema) {
    const Document* value = memberOf(schema, "const");
    if (value == nullptr || memberOf(schema, "enum") != nullptr) return;
    Document list = Document::array();
    list.push_back(*value);
    renameMember(schema, "const", "enum");
    setMember(schema, "enum", std::move(list));
  }

  // Only description and default may stand beside a reference.
  void moveReference(Document& schema) const {
    std::string target(textOf(schema, "$ref"));
    if (target.empty()) return;
    if (movesDefinitions_ && target.starts_with("#/definitions/")) {
      target = "#/$defs/" + target.substr(14);
      setMember(schema, "$ref", target);
    }
    const bool alone = hasOnlyNotes(schema, {"$ref", "$defs", "definitions"});
    if (alone || memberOf(schema, "anyOf") != nullptr) return;
    Document members = Document::array();
    members.push_back({{"$ref", target}});
    renameMember(schema, "$ref", "anyOf");
    setMember(schema, "anyOf", std::move(members));
  }

  // All of one schema is the same as any of it.
  static void replaceSingleAllOf(Document& schema) {
    const Document* members = memberOf(schema, "allOf");
    const bool single = members != nullptr && members->is_array() && members->size() == 1;
    if (!single || memberOf(schema, "anyOf") != nullptr || memberOf(schema, "$ref") != nullptr)
      return;
    renameMember(schema, "allOf", "anyOf");
  }

  // `nullable` adds null to the values of the rest.
  static void replaceNullable(Document& schema) {
    const Document* nullable = memberOf(schema, "nullable");
    if (nullable == nullptr || !nullable->is_boolean()) return;
    const bool null = nullable->get<bool>();
    removeMember(schema, "nullable");
    if (!null) return;
    const bool hasMembers = memberOf(schema, "anyOf") != nullptr;
    if (mayRefuseNull(schema) && !(hasMembers && hasOnlyNotes(schema, {"anyOf"}))) {
      Document either = Document::array();
      either.push_back(std::move(schema));
      either.push_back({{"type", "null"}});
      schema = Document::object();
      return setMember(schema, "anyOf", std::move(either));
    }
    if (Document* type = memberOf(schema, "type")) addNullType(*type);
    if (Document* members = memberOf(schema, "anyOf")) members->push_back({{"type", "null"}});
    Document* values = memberOf(schema, "enum");
    if (values != nullptr && values->is_array()) {
      bool has = false;
      for (const Document& value : *values) has = has || value.is_null();
      if (!has) values->push_back(nullptr);
    }
  }

  static void addNullType(Document& type) {
    if (type == Document("null")) return;
    if (type.is_string()) {
      Document list = Document::array();
      list.push_back(std::move(type));
      type = std::move(list);
    }
    if (type.is_array()) type.push_back("null");
  }

  // What is not anything is nothing.
  static void replaceNotAnything(Document& schema) {
    Document* open = memberOf(schema, "additionalProperties");
    const Document* negated = open != nullptr ? memberOf(*open, "not") : nullptr;
    if (negated != nullptr && negated->is_object() && negated->empty() && open->size() == 1) {
      *open = false;
    }
  }

  bool movesDefinitions_;
};

}  // namespace

void rewriteJsonSchema(Document& schema, Form from) { JsonForm(from, schema).run(schema); }

}  // namespace strata::schemas
