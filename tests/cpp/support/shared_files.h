// Reads recordings of the live API, which are stored outside the repository.
#pragma once

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "support/files.h"

namespace strata::test {

/// Returns a path in the folder that STRATA_SHARED names, or in ../shared. The file need not exist.
inline std::string sharedPath(const std::string& path) {
  const char* named = std::getenv("STRATA_SHARED");
  const bool isNamed = named != nullptr && *named != '\0';
  return (isNamed ? std::string(named) : std::string(STRATA_ROOT) + "/../shared") + "/" + path;
}

/// Returns the contents of a file of that folder, or nullopt if it is missing; tests then skip.
inline std::optional<std::string> readShared(const std::string& path) {
  std::ifstream file(sharedPath(path), std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// Returns the sentence with which a test skips: which folder is missing, and what to do.
inline std::string missingFolder(const std::string& folder) {
  return sharedPath(folder) + " is missing (not part of the project; set STRATA_SHARED to a " +
         "folder that contains " + folder + "/)";
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
