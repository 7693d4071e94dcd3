// Provides the checks that the rules about request fields share: types, known names, duplicate
// spellings, and the JSON Pointer of each finding.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "gemini/known_fields.h"
#include "json/value.h"
#include "lint/lint.h"

namespace strata::lint {

/// Returns whether a field is present and not null. Proto3 JSON reads null as unset.
inline bool isSet(json::Value value) { return value && !value.isNull(); }

/// Base class of the checks of one request. It keeps references to `context` and `findings`, which
/// must outlive it. The destructor is not virtual: checks are local variables, never deleted
/// through this class.
class RequestCheck {
 public:
  RequestCheck(json::Value request, const LintContext& context, catalogue::Findings& findings)
      : request_(request), context_(context), findings_(findings) {}

 protected:
  ~RequestCheck() = default;

  /// Appends a finding. The reference is valid until the next one is appended.
  catalogue::Finding& add(catalogue::Rule rule, const std::string& path, std::string_view arg1 = {},
                          std::string_view arg2 = {});
  /// Does the same for the field `name` of `object`, whose path is `path`.
  catalogue::Finding& addAt(catalogue::Rule rule, json::Value object, const std::string& path,
                            std::string_view name, std::string_view arg1 = {},
                            std::string_view arg2 = {});

  /// Returns the path of the field `name` of `object`, in the spelling that the body uses.
  static std::string pathOf(json::Value object, const std::string& path, std::string_view name);

  /// Returns whether the target's backend has a field with this name.
  bool isKnown(json::Value key, gemini::ObjectKind kind) const {
    return gemini::fieldSupport(kind, key, context_.target.backend) ==
           gemini::FieldSupport::kSupported;
  }
  /// Returns the model's name without a path.
  std::string_view model() const { return catalogue::bareModelName(context_.model); }

  /// Reports unknown names, and fields that are set in both spellings.
  void checkNames(json::Value object, const std::string& path, gemini::ObjectKind kind);
  /// Checks the names of an object. Returns false if `value` is unset or, with a finding, is not an
  /// object.
  bool checkObject(json::Value value, const std::string& path, std::string_view arg1,
                   gemini::ObjectKind kind);

  /// Reports a value that is set and is neither an array nor a single object, which ProtoJSON takes
  /// for a list of one.
  void checkList(json::Value value, const std::string& path, std::string_view arg1,
                 std::string_view expected = "an array");
  /// Reports a value that is set and is none of `values`, in upper or lower case.
  void checkEnum(json::Value object, const std::string& path, std::string_view name,
                 std::span<const std::string_view> values);
  /// Returns the path of the element `index` of `list`.
  static std::string elementPath(json::Value list, const std::string& path, size_t index) {
    return list.isObject() ? path : path + "/" + std::to_string(index);
  }

  json::Value request_;
  const LintContext& context_;
  catalogue::Findings& findings_;
};

/// Appends findings about `tools` and `toolConfig`. Defined in tool_rules.cpp.
void checkTools(json::Value request, const LintContext& context, catalogue::Findings& findings);
/// Appends findings about the schemas of tools and of the response, and about toolConfig in
/// relation to the declarations. Defined in schema_rules.cpp.
void checkSchemas(json::Value request, const LintContext& context, catalogue::Findings& findings);
/// Appends findings about `generationConfig`. Defined in config_rules.cpp.
void checkGenerationConfig(json::Value request, const LintContext& context,
                           catalogue::Findings& findings);

}  // namespace strata::lint
