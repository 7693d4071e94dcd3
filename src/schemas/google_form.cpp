#include "schemas/google_form.h"

#include <nlohmann/json.hpp>

#include "schemas/tree.h"

namespace strata::schemas {
namespace {

using gemini::Backend;
using json::Document;

class GoogleForm : public TreeEditor {
 public:
  GoogleForm(Use use, Backend backend)
      : TreeEditor(Form::kJsonSchema), use_(use), backend_(backend) {}

 private:
  void edit(Document& schema, bool isRoot) override {
    dropNotes(schema);
    replaceTypeList(schema);
    replaceNullMember(schema);
    nameEnumType(schema);
    openItems(schema);
    // The arguments of a call are an object in any case.
    const bool arguments = isRoot && use_ == Use::kArguments && !memberOf(schema, "$ref");
    if (arguments && !memberOf(schema, "type")) {
      setMember(schema, "type", textDocument("object"));
    }
    dropUnrelated(schema);
    const bool bare = typeIn(schema) == Type::kArray && !memberOf(schema, "items");
    if (bare && backend_ == Backend::kGemini) {
      setMember(schema, "items", Document(Document::value_t::object));
    }
  }

  // What limits no value and says nothing to a model.
  void dropNotes(Document& schema) {
    for (const std::string_view name :
         {"$schema", "$comment", "deprecated", "readOnly", "writeOnly"}) {
      removeMember(schema, name);
    }
    const Document* open = memberOf(schema, "additionalProperties");
    const auto* anything = open != nullptr ? open->get_ptr<const bool*>() : nullptr;
    if (anything != nullptr && *anything && backend_ == Backend::kGemini)
      removeMember(schema, "additionalProperties");
  }

  // One type and null become a type that is nullable. An enum without null refuses null.
  static void replaceTypeList(Document& schema) {
    const Document* types = memberOf(schema, "type");
    if (sizeOf(types) != 2 || mayRefuseNull(schema)) return;
    const bool first = typeOf(elementOf(*types, 0)) == Type::kNull;
    if (!first && typeOf(elementOf(*types, 1)) != Type::kNull) return;
    const Document* values = memberOf(schema, "enum");
    const bool refused = values != nullptr && !containsNull(values);
    setMember(schema, "type", elementOf(*types, first ? 1 : 0));
    if (!refused) setMember(schema, "nullable", true);
  }

  // {"anyOf": [X, {"type": "null"}]} becomes X with `nullable`.
  static void replaceNullMember(Document& schema) {
    const Document* members = memberOf(schema, "anyOf");
    if (sizeOf(members) != 2 || !hasOnlyNotes(schema, {"anyOf"})) return;
    const bool first = isNullType(elementOf(*members, 0));
    const Document other = elementOf(*members, first ? 1 : 0);
    if (first == isNullType(elementOf(*members, 1)) || !other.is_object()) return;
    for (const auto& [name, value] : *other.get_ptr<const Document::object_t*>()) {
      if (memberOf(schema, name) != nullptr && name != "anyOf") return;
    }
    removeMember(schema, "anyOf");
    for (const auto& [name, value] : *other.get_ptr<const Document::object_t*>()) {
      setMember(schema, name, value);
    }
    setMember(schema, "nullable", true);
  }

  // An enum of texts has the type STRING. null is no value of an enum.
  static void nameEnumType(Document& schema) {
    const Document* values = memberOf(schema, "enum");
    const bool typed = memberOf(schema, "type") != nullptr;
    if (values == nullptr || (typed && typeIn(schema) != Type::kString)) return;
    Document texts = emptyList();
    for (size_t i = 0; i < sizeOf(values); ++i) {
      const Document& value = elementOf(*values, i);
      if (value.is_string()) append(texts, value);
      if (!value.is_string() && !value.is_null()) return;
    }
    const bool null = sizeOf(&texts) < sizeOf(values);
    if (sizeOf(&texts) == 0 || (null && mayRefuseNull(schema))) return;
    setMember(schema, "enum", std::move(texts));
    if (typed) return;
    setMember(schema, "type", textDocument("string"));
    if (null) setMember(schema, "nullable", true);
  }

  // Any element is allowed.
  static void openItems(Document& schema) {
    Document* items = memberOf(schema, "items");
    const auto* anything = items != nullptr ? items->get_ptr<const bool*>() : nullptr;
    if (anything != nullptr && *anything) *items = Document(Document::value_t::object);
  }

  // A keyword for another type than the one that is set has no effect.
  static void dropUnrelated(Document& schema) {
    const Type type = typeIn(schema);
    if (type == Type::kInvalid) return;
    if (type != Type::kObject) {
      removeMember(schema, "properties");
      removeMember(schema, "required");
    }
    if (type != Type::kArray) removeMember(schema, "items");
  }

  Use use_;
  Backend backend_;
};

}  // namespace

void rewriteGoogleForm(Document& schema, Use use, Backend backend) {
  GoogleForm(use, backend).run(schema);
}

}  // namespace strata::schemas
