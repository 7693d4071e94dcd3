#include "thread/rewrite.h"

#include <string>

namespace strata::thread {
namespace {

Status append(Thread& thread, std::string_view bytes, std::string_view meta,
              size_t maxDepth = json::kMaxDepth) {
  const Result<json::Tape> content = json::Tape::read(bytes, maxDepth);
  if (!content) return content.error();
  // Metadata in a thread is valid JSON.
  const Result<json::Tape> parsedMeta =
      json::Tape::read(meta.empty() ? std::string_view("{}") : meta);
  const json::Value metaObject =
      meta.empty() || !parsedMeta ? json::Value() : parsedMeta.value().root();
  thread.append(bytes, content.value().root(), metaObject, Thread::Policy::kWarn);
  return {};
}

Error invalidReplacement(size_t replacement) {
  return {"field.invalid", 0, "/" + std::to_string(replacement), "turns of this thread, in order"};
}

}  // namespace

Result<Thread> rewrite(const Thread& thread, const std::vector<Replacement>& replacements) {
  const size_t shared = replacements.empty() ? thread.size() : replacements.front().from;
  if (shared > thread.size()) return invalidReplacement(0);
  // Shares the turns before the first replacement with `thread`.
  Thread rewritten = thread;
  rewritten.rewind(shared);
  size_t at = shared;
  for (size_t i = 0; i < replacements.size(); ++i) {
    const Replacement& next = replacements[i];
    if (next.from < at || next.to < next.from || next.to > thread.size())
      return invalidReplacement(i);
    for (; at < next.from; ++at) append(rewritten, thread.content(at), thread.meta(at));
    for (const std::string_view bytes : next.contents) {
      const Status status = append(rewritten, bytes, {}, kMaxContentDepth);
      if (status) continue;
      Error error = status.error();
      error.path = "/" + std::to_string(i) + error.path;
      return error;
    }
    at = next.to;
  }
  for (; at < thread.size(); ++at) append(rewritten, thread.content(at), thread.meta(at));
  return rewritten;
}

}  // namespace strata::thread
