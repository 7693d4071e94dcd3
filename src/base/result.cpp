#include "base/result.h"

namespace strata {

Status::Status(Error error) : error_(std::make_unique<Error>(std::move(error))) {}

}  // namespace strata
