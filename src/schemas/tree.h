// Edits schemas as documents.
#pragma once

#include <initializer_list>
#include <string_view>

#include "json/document.h"
#include "schemas/keywords.h"

namespace strata::schemas {

/// Returns the member `name` of an object, or nullptr. Any document is allowed.
json::Document* memberOf(json::Document& object, std::string_view name);
const json::Document* memberOf(const json::Document& object, std::string_view name);
/// Returns the text of the member `name`; "" if it is not a string.
std::string_view textOf(const json::Document& object, std::string_view name);
/// Removes a member, if there is one.
void removeMember(json::Document& object, std::string_view name);
/// Sets a member; a new one is the last.
void setMember(json::Document& object, std::string_view name, json::Document value);
/// Gives the member `name` another name and keeps its place.
void renameMember(json::Document& object, std::string_view name, std::string_view newName);

/// Returns the number of elements of an array; 0 for other documents and for nullptr.
size_t sizeOf(const json::Document* list);
/// Returns an element of an array. Requires that there is one.
json::Document& elementOf(json::Document& list, size_t index);
const json::Document& elementOf(const json::Document& list, size_t index);
/// Appends an element to an array; other documents stay.
void append(json::Document& list, json::Document element);

/// Returns a text, an empty array, an array of one element, and an object with one member.
json::Document textDocument(std::string_view text);
json::Document emptyList();
json::Document listOf(json::Document element);
json::Document objectWith(std::string_view name, json::Document value);

/// Returns the type of a schema; kInvalid without a single one.
Type typeIn(const json::Document& schema);
/// Returns the type that a document names; kInvalid if it names none.
Type typeOf(const json::Document& name);
/// Returns whether a list has null.
bool containsNull(const json::Document* list);

/// Returns whether an object has no members but notes (see `Known`) and those in `others`.
bool hasOnlyNotes(const json::Document& object, std::initializer_list<std::string_view> others);

/// Returns whether a schema accepts null and nothing else.
bool isNullType(const json::Document& schema);
/// Returns whether a schema has a keyword that may refuse null whatever its type is.
bool mayRefuseNull(const json::Document& schema);

/// Visits the schemas of a document. A deriving class edits one schema at a time.
class TreeEditor {
 public:
  /// Edits `schema` and the schemas in it, inner ones first.
  void run(json::Document& schema) { visit(schema, true); }

 protected:
  explicit TreeEditor(Form form) : form_(form) {}
  ~TreeEditor() = default;

  virtual void edit(json::Document& schema, bool isRoot) = 0;
  Form form() const { return form_; }

 private:
  void visit(json::Document& schema, bool isRoot);
  void visitAll(json::Document& container);

  Form form_;
};

}  // namespace strata::schemas
