// Defines what the conversions between the two wires share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "catalogue/finding.h"

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
  void lost(std::string path, std::string_view what);
  /// Reports what makes the request mean something else.
  void refused(std::string path, std::string_view what);
  /// Reports what is written in another way.
  void changed(std::string path, std::string_view what, std::string_view becomes);
  /// Reports calls without a signature.
  void unsignedCalls(std::string path);

 private:
  void add(catalogue::Rule rule, std::string path, std::string_view arg1, std::string_view arg2);

  catalogue::Findings& findings_;
  std::string_view to_;
};

inline constexpr std::string_view kToInteractions = "the Interactions API";
inline constexpr std::string_view kToGenerateContent = "generateContent";

}  // namespace strata::interactions
