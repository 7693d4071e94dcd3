#include "json/validated.h"

namespace strata::json {

Tape readValidated(std::string_view bytes) {
  Tape tape;
  Tape::read(bytes, tape);
  return tape;
}

}  // namespace strata::json
