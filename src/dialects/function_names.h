// Gives functions names that Gemini accepts, and gives calls the client's names back.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text_index.h"

namespace strata::dialects {

/// The names of the functions of one request. Clients of OpenAI's dialect may have longer names
/// than Gemini takes, and other characters in them. Complexity: O(log n) for each name.
class FunctionNames {
 public:
  FunctionNames() = default;
  /// Reads what `renamed` returned.
  explicit FunctionNames(std::vector<std::pair<std::string, std::string>> renamed);

  /// Keeps other functions from getting this name. Call it first, for all names that Gemini takes.
  void reserve(const std::string& name);
  /// Returns the name for Gemini: `name` itself if Gemini takes it, otherwise the same characters
  /// with `_` for those that it refuses, cut to 64, and with a hash of `name` at the end where
  /// another function has that name.
  std::string toGemini(const std::string& name);
  /// Returns the client's name of a function that Gemini calls.
  std::string toClient(const std::string& name) const;

  /// Returns the functions that were renamed: Gemini's name, and the client's.
  const std::vector<std::pair<std::string, std::string>>& renamed() const { return renamed_; }

 private:
  void add(std::string name, std::string client);

  std::vector<std::pair<std::string, std::string>> renamed_;
  TextIndex byClient_;  // places in `renamed_`
  TextIndex byGemini_;
  TextIndex taken_;
};

}  // namespace strata::dialects
