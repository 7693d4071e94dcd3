#include "thread/rewrite.h"

#include <string>

namespace strata::thread {
namespace {

Status append(Thread& thread, std::string_view bytes, std::string_view meta) {
  const Result<json::Tape> content = json::Tape::read(bytes);
  if (!content) return content.error();
  // The thread holds no meta that could not be read.
  const Result<json::Tape> about = json::Tape::read(meta.empty() ? std::string_view("{}") : meta);
  const json::Value known = meta.empty() || !about ? json::Value() : about.value().root();
  thread.append(bytes, content.value().root(), known, Thread::Policy::kWarn);
  return {};
}

Error missing(size_t replacement) {
  return {"field.invalid", 0, "/" + std::to_string(replacement), "turns of this thread, in order"};
}

}  // namespace

Result<Thread> rewrite(const Thread& thread, const std::vector<Replacement>& replacements) {
  const size_t kept = replacements.empty() ? thread.size() : replacements.front().from;
  if (kept > thread.size()) return missing(0);
  // What stands in front of the first one is shared.
  Thread made = thread;
  made.rewind(kept);
  size_t at = kept;
  for (size_t i = 0; i < replacements.size(); ++i) {
    const Replacement& next = replacements[i];
    if (next.from < at || next.to < next.from || next.to > thread.size()) return missing(i);
    for (; at < next.from; ++at) append(made, thread.content(at), thread.meta(at));
    for (const std::string_view bytes : next.contents) {
      const Status status = append(made, bytes, {});
      if (status) continue;
      Error error = status.error();
      error.path = "/" + std::to_string(i) + error.path;
      return error;
    }
    at = next.to;
  }
  for (; at < thread.size(); ++at) append(made, thread.content(at), thread.meta(at));
  return made;
}

}  // namespace strata::thread
