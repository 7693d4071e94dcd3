#include "schemas/step.h"

#include "catalogue/finding.h"
#include "json/pointer.h"

namespace strata::schemas {

void appendPlace(std::string& place, const Step& step, Notation notation) {
  if (step.parent == nullptr) return;
  appendPlace(place, *step.parent, notation);
  const bool isName = step.key && step.index >= 0;
  const std::string text = step.key ? step.key.text() : std::to_string(step.index);
  if (notation == Notation::kPointer) return json::appendPointer(place, text);
  if (notation == Notation::kNames && !isName) return;
  if (notation == Notation::kNames || notation == Notation::kDotted) {
    place.append(".").append(text);
  } else if (step.index < 0) {
    place.append(".");
    catalogue::appendSnakeCase(place, text);
  } else if (isName && notation == Notation::kParser) {
    place.append("[").append(std::to_string(step.index)).append("].value");
  } else {
    place.append("[").append(text).append("]");
  }
}

}  // namespace strata::schemas
