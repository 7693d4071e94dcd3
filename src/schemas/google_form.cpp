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
      setMember(schema, "type", textDocument("OBJECT"));
    }
    dropUnrelated(schema);
    const bool bare = typeIn(schema) == Type::kArray && memberOf(schema, "items") == nullptr;
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

  static void fixTypeName(Document& schema) {
    const Type type = typeIn(schema);
    if (type != Type::kInvalid && typeNamed(textOf(schema, "type")) == Type::kInvalid) {
      setMember(schema, "type", textDocument(typeName(type)));
    }
  }

  // A text is the only value that matches, so a list of types loses all others.
  static void replaceConst(Document& schema) {
    const Document* value = memberOf(schema, "const");
    if (value == nullptr || !value->is_string() || memberOf(schema, "enum") != nullptr) return;
    const Document* type = memberOf(schema, "type");
    bool fits = type == nullptr || typeOf(*type) == Type::kString;
    for (size_t i = 0; i < sizeOf(type); ++i) {
      fits = fits || typeOf(elementOf(*type, i)) == Type::kString;
    }
    if (!fits) return;
    const bool named = type != nullptr && type->is_string();
    Document list = listOf(*value);
    renameMember(schema, "const", "enum");
    setMember(schema, "enum", std::move(list));
    if (!named) setMember(schema, "type", textDocument("string"));
  }

  static void replaceTypeList(Document& schema) {
    const Document* given = memberOf(schema, "type");
    if (given == nullptr || !given->is_array() || mayRefuseNull(schema)) return;
    Document types = emptyList();
    bool null = false;
    for (size_t i = 0; i < sizeOf(given); ++i) {
      const Type type = typeOf(elementOf(*given, i));
      if (type == Type::kInvalid) return;
      if (type == Type::kNull) {
        null = true;
      } else {
        append(types, elementOf(*given, i));
      }
    }
    if (sizeOf(&types) > 1) return splitTypes(schema, types, null);
    const bool nothing = sizeOf(&types) == 0;
    setMember(schema, "type", nothing ? textDocument("null") : elementOf(types, 0));
    // An enum without null refuses null.
    const Document* values = memberOf(schema, "enum");
    const bool refused = values != nullptr && !containsNull(*values);
    if (null && !nothing && !refused) setMember(schema, "nullable", true);
  }

  // Several types become members of anyOf, unless other keywords belong to one of them.
  static void splitTypes(Document& schema, const Document& types, bool null) {
    if (!hasOnlyNotes(schema, {"type", "nullable"})) return;
    Document members = emptyList();
    for (size_t i = 0; i < sizeOf(&types); ++i) {
      append(members, objectWith("type", elementOf(types, i)));
    }
    renameMember(schema, "type", "anyOf");
    setMember(schema, "anyOf", std::move(members));
    if (null) setMember(schema, "nullable", true);
  }

  static bool isNull(const Document& schema) {
    return typeIn(schema) == Type::kNull && hasOnlyNotes(schema, {"type", "nullable"});
  }

  // {"anyOf": [X, {"type": "null"}]} becomes X with `nullable`.
  static void replaceNullMember(Document& schema) {
    const Document* members = memberOf(schema, "anyOf");
    if (sizeOf(members) != 2 || !hasOnlyNotes(schema, {"anyOf", "nullable"})) return;
    const bool first = isNull(elementOf(*members, 0));
    const Document other = elementOf(*members, first ? 1 : 0);
    if (first == isNull(elementOf(*members, 1)) || !other.is_object()) return;
    for (const auto& [name, value] : *other.get_ptr<const Document::object_t*>()) {
      if (memberOf(schema, name) != nullptr && name != "anyOf" && name != "nullable") return;
    }
    removeMember(schema, "anyOf");
    for (const auto& [name, value] : *other.get_ptr<const Document::object_t*>()) {
      setMember(schema, name, value);
    }
    setMember(schema, "nullable", true);
  }

  static bool containsNull(const Document& list) {
    bool found = false;
    for (size_t i = 0; i < sizeOf(&list); ++i) found = found || elementOf(list, i).is_null();
    return found;
  }

  // An enum of texts has the type STRING. null is no value of an enum.
  static void fixEnum(Document& schema) {
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
    if (null) setMember(schema, "enum", std::move(texts));
    if (typed) return;
    setMember(schema, "type", textDocument("string"));
    if (null) setMember(schema, "nullable", true);
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
