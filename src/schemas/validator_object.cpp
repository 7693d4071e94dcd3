#include "schemas/validator_object.h"

namespace strata::schemas {

bool isValidatorObject(json::Value schema) {
  return schema.find("~standard").isObject() || schema.find("_def").isObject() ||
         schema.find("def").find("type").isString();
}

std::string validatorName(json::Value schema) {
  const std::string vendor = schema.find("~standard").find("vendor").text();
  return vendor.empty() ? "zod" : vendor;
}

}  // namespace strata::schemas
