// Renders templates for `npm run fuzz:jinja`: one JSON case a line in, one JSON result a line out.
// It stays in one process, so every case also shows that the one before left nothing behind.
#include <iostream>
#include <string>

#include "jinja/case_runner.h"

int main() {
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) {
    if (!line.empty()) std::cout << strata::jinja::runCaseLine(line) << std::endl;
  }
}
