// Converts any body to the other wire and back, and checks that each result is JSON, and that the
// steps of the way back have the signatures of the first steps.
#include <set>

#include "fuzz/cpp/checks.h"
#include "interactions/convert_body.h"
#include "interactions/to_contents.h"
#include "interactions/to_steps.h"
#include "interactions/wire.h"

namespace strata::fuzz {
namespace {

using interactions::Converted;

void addText(json::Value text, std::set<std::string>& found) {
  if (text.isString() && !text.raw().empty()) found.insert(text.text());
}

// Returns the signatures of the thoughts, or of the Parts, of a body.
std::set<std::string> signaturesIn(std::string_view json) {
  std::set<std::string> found;
  const Result<json::Tape> tape = json::Tape::read(json);
  const json::Value body = tape.value().root();
  for (const json::Value step : json::elements(body.find("input"))) {
    if (step.find("type").equals("thought")) addText(step.find("signature"), found);
  }
  for (const json::Value content : json::elements(body.find("contents"))) {
    for (const json::Value part : json::elements(content.find("parts"))) {
      addText(part.find("thoughtSignature"), found);
    }
  }
  return found;
}

void run(std::string_view bytes) {
  Input input(bytes);
  Input choices(input.line());
  const test::Judge& judge = chooseJudge(choices);
  const interactions::ConvertOptions options{choices.flag()};
  const Result<json::Tape> tape = json::Tape::read(input.rest());
  if (!tape) return;
  const json::Value body = tape.value().root();
  const bool isInteraction = interactions::wireOf(body) == interactions::Wire::kInteractions;
  const Converted there = isInteraction
                              ? interactions::generateContentOf(body, judge.target(), options)
                              : interactions::interactionOf(body, "m", judge.target(), options);
  requireJson(there.json, "the converted body is JSON");
  requireReport(there.findings, judge.target());
  const Result<json::Tape> converted = json::Tape::read(there.json);
  const json::Value other = converted.value().root();
  const Converted back = isInteraction
                             ? interactions::interactionOf(other, "m", judge.target(), options)
                             : interactions::generateContentOf(other, judge.target(), options);
  requireJson(back.json, "the way back is JSON");
  if (isInteraction || options.placeholder) return;
  // No signature is made or lost on the way back.
  require(signaturesIn(there.json) == signaturesIn(back.json), "the signatures stay", there.json);
}

const Registration kTarget("conversion", run);

}  // namespace
}  // namespace strata::fuzz
