// Describes the history of a request for JavaScript.
#include "thread/timeline.h"

#include <vector>

#include "bodies.h"
#include "gemini/content_view.h"
#include "json/lenient.h"
#include "json/writer.h"
#include "lint/lint.h"
#include "thread/thread.h"

namespace strata::bindings {

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
  json::Writer out;
  out.open('{');
  thread::writeTimeline(out, thread, {.ranges = ranges});
  const size_t omitted = gemini::repeatedSize(contents) - thread.size();
  if (omitted > 0) out.key("omitted").integer(static_cast<int64_t>(omitted));
  exchange.reply(out.close('}').take());
}

}  // namespace strata::bindings
