// Why this file exists: the oracle's grader (shared/jinja/grade.py) drives an engine by lines: one
// JSON case in, one JSON result out. This is that engine. It stays in one process, so every case
// also shows that the one before left nothing behind.
#include <iostream>
#include <string>

#include "jinja/case_runner.h"

int main() {
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) {
    if (!line.empty()) std::cout << strata::jinja::runCaseLine(line) << std::endl;
  }
}
