#include "schemas/step.h"

#include "catalogue/finding.h"
#include "json/pointer.h"

namespace strata::schemas {

void appendPointer(std::string& pointer, const Step& step) {
  if (step.isRoot()) return;
  appendPointer(pointer, *step.parent);
  if (step.key) {
    json::appendPointer(pointer, step.key.text());
  } else {
    json::appendPointer(pointer, static_cast<size_t>(step.index));
  }
}

void appendGoogle(std::string& place, const Step& step, Notation notation) {
  if (step.isRoot()) return;
  appendGoogle(place, *step.parent, notation);
  if (!step.isName() && step.key) {
    if (!place.empty()) place.push_back('.');
    catalogue::appendSnakeCase(place, step.key.text());
    return;
  }
  const bool named = step.key && notation == Notation::kValidator;
  place.append("[").append(named ? step.key.text() : std::to_string(step.index)).append("]");
  if (step.key && !named) place += ".value";
}

void appendNames(std::string& place, const Step& step) {
  if (step.isRoot()) return;
  appendNames(place, *step.parent);
  if (step.isName()) place.append(".").append(step.key.text());
}

std::string dotted(const Step& step) {
  std::string pointer;
  appendPointer(pointer, step);
  if (pointer.empty()) return "top-level";
  for (char& c : pointer) c = c == '/' ? '.' : c;
  return pointer.substr(1);
}

}  // namespace strata::schemas
