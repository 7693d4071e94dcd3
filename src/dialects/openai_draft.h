// Holds a generateContent request while it is written from a chat completion request.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "catalogue/finding.h"
#include "dialects/function_names.h"
#include "dialects/import_notes.h"
#include "dialects/path.h"
#include "json/value.h"
#include "json/writer.h"

namespace strata::dialects {

/// The parts of a request, and what is reported about it. The target must outlive it.
struct OpenAiDraft {
  explicit OpenAiDraft(const catalogue::Target& requestTarget) : target(requestTarget) {
    generation.open('{');
    fields.open('{');
  }

  /// Refuses the request: the value at `path` must be `expected`. The first refusal wins.
  void refuse(const Path& path, std::string_view expected);
  /// Refuses it for the error of a reader.
  void refuse(const Error& error);
  bool refused() const { return refusal.has_value(); }

  /// Notes that a field, which says `why`, has no effect.
  void drop(const Path& path, std::string_view name, std::string_view why);
  /// Notes the members of `object` that are not in `known`, a list of names that each end with a
  /// space.
  void noteOthers(json::Value object, const Path& path, std::string_view known);

  const catalogue::Target& target;
  ImportNotes notes;
  FunctionNames names;
  catalogue::Findings findings;  ///< About schemas and about signatures in `contents`.
  std::optional<catalogue::Finding> refusal;
  json::Writer generation;  ///< generationConfig, an open object.
  json::Writer fields;      ///< The other fields of the body, an open object.
};

/// Returns the member `name` of `object`; absent if it is null, which clients write for an unset
/// field.
json::Value givenMember(json::Value object, std::string_view name);

}  // namespace strata::dialects
