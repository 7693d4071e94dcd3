// Reads files of the repository.
#pragma once

#include <fstream>
#include <iterator>
#include <optional>
#include <string>

namespace strata::test {

/// Returns a file by its path from the repository's root, or nullopt.
inline std::optional<std::string> readFile(const std::string& path) {
  std::ifstream file(std::string(STRATA_ROOT) + "/" + path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace strata::test
