// Describes the history of a request for JavaScript.
#include "thread/timeline.h"

#include <vector>

#include "bodies.h"
#include "gemini/content_view.h"
#include "interactions/to_contents.h"
#include "json/lenient.h"
#include "json/writer.h"
#include "lint/lint.h"
#include "thread/append_steps.h"
#include "thread/thread.h"

namespace strata::bindings {
namespace {

// Appends the steps of an Interactions body, and returns where the steps of each turn are. Steps
// that are no turns are not appended: `lint` says what is wrong with them.
std::vector<json::TextRange> appendInput(thread::Thread& thread, json::Value input,
                                         json::Value origin, const json::LenientTape& body) {
  catalogue::Findings losses;
  const auto turns = interactions::turnsOf(input, "", losses);
  std::vector<json::TextRange> ranges;
  if (!turns || !thread::appendSteps(thread, input, origin, thread::Thread::Policy::kWarn))
    return ranges;
  std::vector<json::TextRange> steps;
  for (const json::Value step : json::elements(input)) steps.push_back(body.rangeOf(step));
  for (const interactions::StepsTurn& turn : turns.value())
    ranges.push_back({steps[turn.begin].begin, steps[turn.end - 1].end});
  return ranges;
}

}  // namespace

void timeline(Core& core) {
  Exchange& exchange = core.exchange();
  const Options given(exchange.part(1));
  json::OptionsReader reader = given.reader();
  const LintOptions options = readLintOptions(reader, core);
  size_t maxContents = SIZE_MAX;
  reader.count("maxContents", maxContents);
  if (const Status read = reader.finish(); !read) return core.replyOptionError(read.error());
  const json::LenientTape body(exchange.part(0));
  const json::Value request = body.status() ? lint::requestOf(body.root()) : json::Value();
  const json::Value contents = gemini::field(request, "contents");
  const catalogue::Target& target = options.context.target;
  thread::Thread thread(target, false, thread::estimateFor(target));
  thread.setServerCalls(lint::mayHoldServerCalls(request, options.context));
  // The same members as in the metadata of a turn.
  const json::Value origin = given.root().find("signaturesFrom");
  json::TextPlaces places(body.text(), options.positions.value_or(json::TextUnit::kByte));
  const bool isWritten = exchange.part(2).empty();
  std::vector<json::TextRange> ranges;
  for (const json::Value content : gemini::repeated(contents)) {
    if (thread.size() == maxContents) break;
    thread.append(content.bytes(), content, origin, thread::Thread::Policy::kWarn);
    if (!isWritten) continue;
    ranges.push_back(places.range(body.rangeOf(content)));
  }
  size_t size = gemini::repeatedSize(contents);
  if (const json::Value input = request.find("input"); thread::isStepList(input)) {
    const std::vector<json::TextRange> turns = appendInput(thread, input, origin, body);
    size = turns.size();
    thread.rewind(maxContents);
    for (size_t i = 0; isWritten && i < thread.size(); ++i)
      ranges.push_back(places.range(turns[i]));
  }
  json::Writer out;
  out.open('{');
  thread::writeTimeline(out, thread, {.ranges = ranges});
  const size_t omitted = size - thread.size();
  if (omitted > 0) out.key("omitted").integer(static_cast<int64_t>(omitted));
  exchange.reply(out.close('}').take());
}

}  // namespace strata::bindings
