// Why this file exists: answers that were recorded from the live API stay outside the repository.
#pragma once

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "support/json_file.h"

namespace strata::test {

/// A file of the folder that STRATA_SHARED names, or of ../shared; tests skip where it is missing.
inline std::optional<std::string> readShared(const std::string& path) {
  const char* folder = std::getenv("STRATA_SHARED");
  if (folder == nullptr) return readFile("../shared/" + path);
  std::ifstream file(std::string(folder) + "/" + path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

inline std::vector<std::string> linesIn(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

}  // namespace strata::test
