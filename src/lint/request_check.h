// Why this file exists: the rules about a request's fields look for the same things in each: types,
// names, fields that are spelled twice; and each finding says where in this body it is.
#pragma once

#include <string>
#include <string_view>

#include "gemini/known_fields.h"
#include "json/value.h"
#include "lint/lint.h"

namespace strata::lint {

inline bool isSet(json::Value value) { return value && !value.isNull(); }

/// Base of the checks of one request. It needs no virtual destructor: checks live on the stack.
class RequestCheck {
 public:
  RequestCheck(json::Value request, const LintContext& context, catalogue::Findings& findings)
      : request_(request), context_(context), findings_(findings) {}

 protected:
  ~RequestCheck() = default;

  catalogue::Finding& add(catalogue::Rule rule, std::string path, std::string arg1 = {},
                          std::string arg2 = {});

  /// The path of a field as this body spells it.
  static std::string pathOf(json::Value object, const std::string& path, std::string_view name);

  /// Whether a name is one that this service has.
  bool isKnown(json::Value key, gemini::ObjectKind kind) const {
    return gemini::knownField(kind, key, context_.target.backend) == gemini::Known::kYes;
  }
  /// Adds names of an object that are not known, and those that stand in it in both spellings.
  void checkNames(json::Value object, const std::string& path, gemini::ObjectKind kind);
  /// Checks the names of a value that is set. False where it is not, or, with a finding, where it
  /// is no object.
  bool checkObject(json::Value value, const std::string& path, std::string_view arg1,
                   gemini::ObjectKind kind);

  /// Adds a finding where a value that is set is no array.
  catalogue::Finding* checkArray(json::Value value, std::string path, std::string_view arg1,
                                 std::string expected = "an array");
  /// The same; only a warning for one element without its array: samples write it so, and no answer
  /// to that is on record.
  void checkList(json::Value value, std::string path, std::string_view arg1);

  json::Value request_;
  const LintContext& context_;
  catalogue::Findings& findings_;
};

/// Adds what is wrong with `tools` and `toolConfig`: tool_rules.cpp.
void checkTools(json::Value request, const LintContext& context, catalogue::Findings& findings);
/// Adds what is wrong with `generationConfig`: config_rules.cpp.
void checkGenerationConfig(json::Value request, const LintContext& context,
                           catalogue::Findings& findings);

}  // namespace strata::lint
