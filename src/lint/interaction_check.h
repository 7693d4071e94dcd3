// Provides what the rules about fields of an Interactions body share.
#pragma once

#include <string>
#include <string_view>

#include "interactions/shapes.h"
#include "lint/lint.h"

namespace strata::lint {

/// Base class of the checks of one body. It keeps references to all that it is given.
class InteractionCheck {
 public:
  InteractionCheck(json::Value body, const LintContext& context, catalogue::Findings& findings)
      : body_(body), context_(context), findings_(findings) {}

 protected:
  ~InteractionCheck() = default;

  catalogue::Finding& add(catalogue::Rule rule, std::string_view path, std::string_view arg1 = {},
                          std::string_view arg2 = {});
  void addInvalid(std::string_view path, std::string_view what, std::string_view expected);

  /// Reports the names that are not in `fields`. `path` is that of `object`.
  void checkNames(json::Value object, interactions::NameList fields, const std::string& path);
  /// Returns whether a value is an object. Reports another one that is set.
  bool checkObject(json::Value value, const std::string& path, std::string_view what);
  /// Reports a value that is set and not of the type.
  void checkString(json::Value object, std::string_view name, const std::string& path);
  void checkBoolean(json::Value object, std::string_view name, const std::string& path);
  /// Returns whether the value is one of `values`; reports one in upper case, or another one.
  bool checkEnum(json::Value value, const std::string& path, interactions::NameList values);

  json::Value body_;
  const LintContext& context_;
  catalogue::Findings& findings_;
};

/// Appends findings about `generation_config`, `response_format` and `tools`. Defined in
/// interaction_config.cpp.
void checkInteractionConfig(json::Value body, const LintContext& context,
                            catalogue::Findings& findings);

}  // namespace strata::lint
