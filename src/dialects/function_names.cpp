#include "dialects/function_names.h"

#include "base/sha256.h"
#include "gemini/function_name.h"

namespace strata::dialects {
namespace {

constexpr size_t kHashDigits = 8;

// Returns the name with `_` for each character that Gemini refuses.
std::string acceptable(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool continues = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
    if (!continues) out.push_back(gemini::isFunctionNameCharacter(c) ? c : '_');
  }
  if (!gemini::isFunctionName(out.substr(0, 1))) out.insert(0, "_");
  return out.substr(0, gemini::kMaxFunctionName);
}

std::string withHash(const std::string& name, const std::string& hashed) {
  const std::string suffix = "_" + toHex(sha256(hashed)).substr(0, kHashDigits);
  return name.substr(0, gemini::kMaxFunctionName - suffix.size()) + suffix;
}

}  // namespace

FunctionNames::FunctionNames(std::vector<std::pair<std::string, std::string>> renamed) {
  for (auto& [name, client] : renamed) add(std::move(name), std::move(client));
}

void FunctionNames::add(std::string name, std::string client) {
  const auto place = static_cast<int32_t>(renamed_.size());
  byGemini_.add(name, place);
  byClient_.add(client, place);
  taken_.add(name, 0);
  renamed_.emplace_back(std::move(name), std::move(client));
}

void FunctionNames::reserve(const std::string& name) { taken_.add(name, 0); }

std::string FunctionNames::toGemini(const std::string& name) {
  if (name.empty() || gemini::isFunctionName(name)) return name;
  const int32_t known = byClient_.find(name);
  if (known >= 0) return renamed_[static_cast<size_t>(known)].first;
  const std::string wanted = acceptable(name);
  std::string given = wanted;
  for (std::string hashed = name; taken_.find(given) >= 0; hashed += '_') {
    given = withHash(wanted, hashed);
  }
  add(given, name);
  return given;
}

std::string FunctionNames::toClient(const std::string& name) const {
  const int32_t place = byGemini_.find(name);
  return place < 0 ? name : renamed_[static_cast<size_t>(place)].second;
}

}  // namespace strata::dialects
