#include "schemas/google_form.h"

#include <nlohmann/json.hpp>
#include <string>

#include "schemas/tree.h"

namespace strata::schemas {
namespace {

using gemini::Backend;
using json::Document;

class GoogleForm : public TreeEditor {
 public:
  GoogleForm(Use use, Backend backend) : TreeEditor(Form::kGoogle), use_(use), backend_(backend) {}

 private:
  void edit(Document& schema, bool isRoot) override {
    dropNotes(schema);
    fixTypeName(schema);
    replaceConst(schema);
    replaceTypeList(schema);
    replaceNullMember(schema);
    fixEnum(schema);
    replaceExclusiveLimits(schema);
    const bool hasType = memberOf(schema, "type") != nullptr;
    // The arguments of a call are an object in any case.
    if (isRoot && use_ == Use::kArguments && !hasType && memberOf(schema, "$ref") == nullptr &&
        memberOf(schema, "ref") == nullptr) {
      setMember(schema, "type", "OBJECT");
    }
    dropUnrelated(schema);
    const bool array = typeNamed(textOf(schema, "type")) == Type::kArray;
    if (array && memberOf(schema, "items") == nullptr && backend_ == Backend::kGemini) {
      setMember(schema, "items", Document::object());
    }
  }

  // What limits no value and says nothing to a model.
  void dropNotes(Document& schema) {
    for (const std::string_view name :
         {"$schema", "$comment", "deprecated", "readOnly", "writeOnly"}) {
      removeMember(schema, name);
    }
    const Document* open = memberOf(schema, "additionalProperties");
    const bool anything = open != nullptr && open->is_boolean() && open->get<bool>();
    if (anything && backend_ == Backend::kGemini) removeMember(schema, "additionalProperties");
  }

  static void fixTypeName(Document& schema) {
    const std::string_view name = textOf(schema, "type");
    const Type type = typeNamed(name, true);
    if (type != Type::kInvalid && typeNamed(name) == Type::kInvalid) {
      setMember(schema, "type", typeName(type));
    }
  }

  // A text is the only value that matches, so a list of types loses all others.
  static void replaceConst(Document& schema) {
    const Document* value = memberOf(schema, "const");
    if (value == nullptr || !value->is_string() || memberOf(schema, "enum") != nullptr) return;
    const Document* type = memberOf(schema, "type");
    bool fits = type == nullptr || typeNamed(textOf(schema, "type")) == Type::kString;
    if (type != nullptr && type->is_array()) {
      for (const Document& each : *type) fits = fits || each == Document("string");
    }
    if (!fits) return;
    const bool named = type != nullptr && type->is_string();
    Document list = Document::array();
    list.push_back(*value);
    renameMember(schema, "const", "enum");
    setMember(schema, "enum", std::move(list));
    if (!named) setMember(schema, "type", "string");
  }

  static void replaceTypeList(Document& schema) {
    const Document* given = memberOf(schema, "type");
    if (given == nullptr || !given->is_array() || mayRefuseNull(schema)) return;
    Document types = Document::array();
    bool null = false;
    for (const Document& each : *given) {
      const auto* name = each.get_ptr<const std::string*>();
      const Type type = name != nullptr ? typeNamed(*name) : Type::kInvalid;
      if (type == Type::kInvalid) return;
      if (type == Type::kNull) {
        null = true;
      } else {
        types.push_back(*name);
      }
    }
    if (types.size() > 1) return splitTypes(schema, types, null);
    setMember(schema, "type", types.empty() ? Document("null") : types[0]);
    if (!null || types.empty()) return;
    // An enum without null refuses null.
    const Document* values = memberOf(schema, "enum");
    if (values == nullptr || contains(*values, nullptr)) setMember(schema, "nullable", true);
  }

  // Several types become members of anyOf, unless other keywords belong to one of them.
  static void splitTypes(Document& schema, const Document& types, bool null) {
    if (!hasOnlyNotes(schema, {"type", "nullable"})) return;
    Document members = Document::array();
    for (const Document& type : types) members.push_back({{"type", type}});
    renameMember(schema, "type", "anyOf");
    setMember(schema, "anyOf", std::move(members));
    if (null) setMember(schema, "nullable", true);
  }

  static bool isNull(const Document& schema) {
    return schema.is_object() && typeNamed(textOf(schema, "type")) == Type::kNull &&
           hasOnlyNotes(schema, {"type", "nullable"});
  }

  // {"anyOf": [X, {"type": "null"}]} becomes X with `nullable`.
  static void replaceNullMember(Document& schema) {
    const Document* members = memberOf(schema, "anyOf");
    if (members == nullptr || !members->is_array() || members->size() != 2) return;
    if (!hasOnlyNotes(schema, {"anyOf", "nullable"})) return;
    const bool first = isNull((*members)[0]);
    const Document other = (*members)[first ? 1 : 0];
    if (first == isNull((*members)[1]) || !other.is_object()) return;
    for (const auto& [name, value] : *other.get_ptr<const Document::object_t*>()) {
      const Document* own = memberOf(schema, name);
      if (own != nullptr && *own != value && name != "anyOf" && name != "nullable") return;
    }
    removeMember(schema, "anyOf");
    for (const auto& [name, value] : *other.get_ptr<const Document::object_t*>()) {
      setMember(schema, name, value);
    }
    setMember(schema, "nullable", true);
  }

  static bool contains(const Document& list, const Document& value) {
    for (const Document& each : list) {
      if (each == value) return true;
    }
    return false;
  }

  // An enum of texts has the type STRING. null is no value of an enum.
  static void fixEnum(Document& schema) {
    const Document* values = memberOf(schema, "enum");
    const Document* type = memberOf(schema, "type");
    const bool text = type != nullptr && typeNamed(textOf(schema, "type")) == Type::kString;
    if (values == nullptr || !values->is_array() || (type != nullptr && !text)) return;
    Document texts = Document::array();
    bool null = false;
    for (const Document& value : *values) {
      if (!value.is_string() && !value.is_null()) return;
      null = null || value.is_null();
      if (value.is_string()) texts.push_back(value);
    }
    if (texts.empty() || (null && mayRefuseNull(schema))) return;
    if (null) setMember(schema, "enum", std::move(texts));
    if (type != nullptr) return;
    setMember(schema, "type", "string");
    if (null) setMember(schema, "nullable", true);
  }

  // A keyword for another type than the one that is set has no effect.
  static void dropUnrelated(Document& schema) {
    const Type type = typeNamed(textOf(schema, "type"));
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
