#include "thread/turn_meta.h"

#include <optional>

#include "gemini/backend.h"
#include "json/string.h"
#include "json/validated.h"
#include "json/writer.h"

namespace strata::thread {
namespace {

constexpr std::string_view kSteps = "steps";

bool mayHaveSteps(std::string_view meta) {
  return meta.find("\"steps\"") != std::string_view::npos;
}

}  // namespace

Status checkTurnMeta(json::OptionsReader meta, bool hasSteps) {
  std::optional<std::string> text;
  std::optional<gemini::Backend> backend;
  uint64_t tokens = 0;
  meta.string("at", text).string("model", text).oneOf("backend", gemini::kBackendNames, backend);
  meta.count("tokens", tokens).object("manifest").object("spent");
  if (hasSteps) meta.accept(kSteps);
  return meta.finish();
}

std::string stepsIn(json::Value meta) {
  const json::Value steps = meta.find(kSteps);
  if (steps.isString()) {
    const std::string text = steps.text();
    const Result<json::Tape> tape = json::Tape::read(text);
    return tape && tape.value().root().isArray() ? text : std::string();
  }
  return std::string(steps.isArray() ? steps.bytes() : std::string_view());
}

std::string stepsIn(std::string_view meta) {
  if (!mayHaveSteps(meta)) return {};
  const json::Tape tape = json::readValidated(meta);
  return stepsIn(tape.root());
}

std::string withSteps(std::string_view meta, std::string_view steps) {
  std::string out = withoutSteps(meta.empty() ? "{}" : meta);
  out.resize(out.rfind('}'));
  const bool isEmpty = out.find_first_not_of("{ \t\r\n") == std::string::npos;
  out += isEmpty ? "\"steps\":" : ",\"steps\":";
  if (steps.find('\n') == std::string_view::npos) {
    out += steps;
  } else {
    json::appendQuoted(out, steps);
  }
  return out + "}";
}

std::string withoutSteps(std::string_view meta) {
  if (!mayHaveSteps(meta)) return std::string(meta);
  const json::Tape tape = json::readValidated(meta);
  json::Writer out;
  out.open('{');
  for (const json::Member member : json::members(tape.root())) {
    if (!member.key.equals(kSteps)) out.key(member.key.text()).raw(member.value.bytes());
  }
  return out.close('}').take();
}

}  // namespace strata::thread
