// Declares what every fuzz target has: a name, and a function that checks properties of one input.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace strata::fuzz {

/// Checks properties of one input. Ends the program if one does not hold.
using Run = void (*)(std::string_view input);

struct Target {
  std::string name;
  Run run;
};

/// Registers a target. Each file of targets/ defines one, under the name of the file.
class Registration {
 public:
  Registration(const char* name, Run run);
};

/// Returns the targets that are linked into this program.
const std::vector<Target>& targets();

/// Ends the program with a message unless `holds`. `property` says what must be true, `shown` is
/// the text that it is not true for.
void require(bool holds, std::string_view property, std::string_view shown = {});

}  // namespace strata::fuzz
