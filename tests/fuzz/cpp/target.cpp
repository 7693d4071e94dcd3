#include "fuzz/cpp/target.h"

#include <cstdlib>
#include <iostream>

namespace strata::fuzz {
namespace {

std::vector<Target>& registered() {
  static std::vector<Target> all;
  return all;
}

}  // namespace

Registration::Registration(const char* name, Run run) { registered().push_back({name, run}); }

const std::vector<Target>& targets() { return registered(); }

void require(bool holds, std::string_view property, std::string_view shown) {
  if (holds) return;
  std::cerr << "does not hold: " << property << "\n" << shown << std::endl;
  std::abort();
}

}  // namespace strata::fuzz
