#include "interactions/convert.h"

namespace strata::interactions {

using catalogue::Rule;

void Losses::add(Rule rule, std::string path, std::string_view arg1, std::string_view arg2) {
  catalogue::Finding& finding = findings_.emplace_back();
  finding.rule = rule;
  finding.path = std::move(path);
  finding.arg1 = arg1;
  finding.arg2 = arg2;
}

void Losses::lost(std::string path, std::string_view what) {
  add(Rule::kConvertLost, std::move(path), what, to_);
}

void Losses::refused(std::string path, std::string_view what) {
  add(Rule::kConvertRefused, std::move(path), what, to_);
}

void Losses::changed(std::string path, std::string_view what, std::string_view becomes) {
  add(Rule::kConvertChanged, std::move(path), what, becomes);
}

void Losses::unsignedCalls(std::string path) {
  add(Rule::kConvertUnsigned, std::move(path), {}, {});
}

}  // namespace strata::interactions
