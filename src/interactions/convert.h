// Defines what the conversions between the two wires share.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "catalogue/finding.h"
#include "interactions/shapes.h"
#include "json/value.h"

namespace strata::interactions {

struct ConvertOptions {
  /// Whether a turn of the model with functionCalls and without a signature gets the documented
  /// placeholder signature.
  bool placeholder = false;
};

/// A converted text, and what differs from the original: `convert.*` findings, whose places are in
/// the original.
struct Converted {
  std::string json;
  catalogue::Findings findings;
};

/// Appends the findings of one conversion.
class Losses {
 public:
  /// `to` is the name of the other API in messages.
  Losses(catalogue::Findings& findings, std::string_view to) : findings_(findings), to_(to) {}

  /// Reports what is left out, at a place of the original.
  void lost(std::string_view path, std::string_view what);
  /// Reports the members of an object whose names are not in `read`, in either spelling. null and
  /// an empty list say nothing.
  void lostMembers(std::string_view path, json::Value object, NameList read);
  /// Reports what makes the request mean something else.
  void refused(std::string_view path, std::string_view what);
  /// Reports what is written in another way.
  void changed(std::string_view path, std::string_view what, std::string_view becomes);
  /// Reports calls without a signature.
  void unsignedCalls(std::string_view path);

 private:
  void add(catalogue::Rule rule, std::string_view path, std::string_view arg1,
           std::string_view arg2);

  catalogue::Findings& findings_;
  std::string_view to_;
};

/// Returns the pieces one after the other.
std::string joined(std::initializer_list<std::string_view> pieces);
/// Appends an element to those of a list, with a comma between them; nothing for "".
void appendElement(std::string& list, std::string_view json);
inline bool isSet(json::Value value) { return value && !value.isNull(); }

inline constexpr std::string_view kToInteractions = "the Interactions API";
inline constexpr std::string_view kToGenerateContent = "generateContent";

}  // namespace strata::interactions
