// Reads one JSON case per line and prints one JSON result per line, for `npm run fuzz:jinja`. All
// cases run in one process, so each also tests that the previous one left no state.
#include <iostream>
#include <string>

#include "jinja/case_runner.h"

int main() {
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) {
    if (!line.empty()) std::cout << strata::jinja::runCaseLine(line) << std::endl;
  }
}
