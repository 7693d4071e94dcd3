#include "repair/merged_metas.h"

#include "gemini/content_view.h"
#include "json/writer.h"

namespace strata::repair {
namespace {

bool isModel(std::string_view content) {
  const Result<json::Tape> tape = json::Tape::read(content);
  return tape && tape.value().root().find("role").equals("model");
}

std::string merged(std::string_view earlier, std::string_view later) {
  const Result<json::Tape> first = json::Tape::read(earlier);
  const Result<json::Tape> second = json::Tape::read(later);
  if (!first || !second) return std::string(first ? earlier : later);
  json::Writer out;
  out.open('{');
  for (const json::Member member : json::members(first.value().root())) {
    const std::string key = member.key.text();
    const bool overridden = second.value().root().find(key) || key == "tokens";
    if (!overridden) out.key(key).raw(member.value.bytes());
  }
  for (const json::Member member : json::members(second.value().root())) {
    if (!member.key.equals("tokens")) out.key(member.key.text()).raw(member.value.bytes());
  }
  return out.close('}').take();
}

}  // namespace

MergedMetas::MergedMetas(const std::vector<std::string>& contents)
    : contents_(contents), metas_(contents.size()) {}

size_t MergedMetas::successorOf(std::string_view turn) const {
  for (size_t i = contents_.size(); i-- > 0;) {
    if (contents_[i] == turn) return i;
  }
  const bool model = isModel(turn);
  for (size_t i = contents_.size(); i-- > 0;) {
    if (isModel(contents_[i]) == model) return i;
  }
  return contents_.size() - 1;
}

void MergedMetas::add(std::string_view turn, std::string_view meta) {
  std::string& present = metas_[successorOf(turn)];
  present = present.empty() ? std::string(meta) : merged(present, meta);
}

}  // namespace strata::repair
