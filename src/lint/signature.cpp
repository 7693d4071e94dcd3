#include "lint/signature.h"

#include <array>

#include "base/ascii.h"
#include "interactions/wire.h"

namespace strata::lint {
namespace {

constexpr std::array<std::string_view, 4> kPlaceholders = {
    kPlaceholder,
    "context_engineering_is_the_way_to_go",
    "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=",
    "Y29udGV4dF9lbmdpbmVlcmluZ19pc190aGVfd2F5X3RvX2dv",
};

bool isBase64Char(char c) {
  return ascii::isAlnum(c) || c == '+' || c == '/' || c == '-' || c == '_';
}

// Groups models that accept each other's signatures. 3.8 differs from 3.6 only in its config rules.
catalogue::Generation familyOf(const catalogue::ModelRow& row) {
  return row.generation == catalogue::Generation::k3_8 ? catalogue::Generation::k3_6
                                                       : row.generation;
}

}  // namespace

bool isBase64(std::string_view signature) {
  size_t padding = 0;
  while (padding < 2 && padding < signature.size() &&
         signature[signature.size() - 1 - padding] == '=') {
    ++padding;
  }
  const std::string_view digits = signature.substr(0, signature.size() - padding);
  for (const char c : digits) {
    if (!isBase64Char(c)) return false;
  }
  return digits.size() % 4 != 1 && (padding == 0 || (digits.size() + padding) % 4 == 0);
}

bool looksLikeBase64(std::string_view data) {
  constexpr size_t kEnd = 64;
  if (data.size() <= 2 * kEnd) return isBase64(data);
  // Skips whole groups of four characters, so that the length check still holds.
  const size_t skipped = (data.size() - 2 * kEnd) / 4 * 4;
  return isBase64(data.substr(0, kEnd)) && isBase64(data.substr(kEnd + skipped));
}

bool isPlaceholder(std::string_view signature) {
  for (const std::string_view placeholder : kPlaceholders) {
    if (signature == placeholder) return true;
  }
  return false;
}

Provenance readProvenance(json::OptionsReader& options, std::string_view name) {
  Provenance from;
  options.nested(name, [&](json::OptionsReader& given) {
    std::optional<gemini::Backend> backend;
    given.string("model", from.model).oneOf("backend", gemini::kBackendNames, backend);
    if (backend) from.backend = gemini::backendName(*backend);
  });
  return from;
}

catalogue::Severity foreignSeverity(const Provenance& from, const catalogue::Target& target) {
  if (!from.backend.empty() && from.backend != gemini::backendName(target.backend)) {
    return catalogue::Severity::kError;
  }
  if (from.model.empty()) return catalogue::Severity::kOff;
  const catalogue::ModelRow& row = target.catalogue->model(from.model, target.service());
  const interactions::Vendor vendor = interactions::vendorOf(from.model);
  // An alias: of what a service of Google answered, and of two names that the catalogue does not
  // know.
  const bool mayBeGoogle = vendor == interactions::Vendor::kUnknown &&
                           (!from.backend.empty() || (row.id.empty() && target.model->id.empty()));
  if (vendor != interactions::Vendor::kGoogle && !mayBeGoogle) return catalogue::Severity::kError;
  return familyOf(row) == familyOf(*target.model) ? catalogue::Severity::kOff
                                                  : catalogue::Severity::kWarning;
}

}  // namespace strata::lint
