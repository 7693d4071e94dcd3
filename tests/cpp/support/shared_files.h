// Reads recordings of the live API, which are stored outside the repository.
#pragma once

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "support/files.h"

namespace strata::test {

/// Returns a file from the folder in the environment variable STRATA_SHARED, or else from
/// ../shared. Returns nullopt if it is missing; tests then skip.
inline std::optional<std::string> readShared(const std::string& path) {
  const char* folder = std::getenv("STRATA_SHARED");
  if (folder == nullptr) return readFile("../shared/" + path);
  std::ifstream file(std::string(folder) + "/" + path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// Returns the lines that are not empty.
inline std::vector<std::string> linesIn(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

}  // namespace strata::test
