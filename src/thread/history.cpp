#include "thread/history.h"

#include "json/scan.h"
#include "thread/append_steps.h"

namespace strata::thread {
namespace {

// What converts what this does not read.
constexpr std::string_view kOthers =
    "; Checker.import of prompt-strata/check converts other clients' histories";

Error invalid(json::Value value, std::string path, std::string expected) {
  return {"field.invalid", value.offset(), std::move(path), std::move(expected)};
}

}  // namespace

Status loadHistory(Thread& thread, std::string_view bytes, std::vector<CallRecord>& records) {
  if (json::skipSpace(bytes, 0) == bytes.size()) return {};
  if (isSaved(bytes)) return loadSaved(thread, bytes, &records);
  const Result<json::Tape> tape = json::Tape::read(bytes);
  if (!tape) return tape.error();
  const json::Value root = tape.value().root();
  const json::Value contents = root.find("contents");
  const json::Value list = contents ? contents : root;
  const std::string path = contents ? "/contents" : "";
  if (isStepList(root)) {
    const Result<AppendResult> done = appendSteps(thread, root, {}, Thread::Policy::kWarn);
    return done ? Status() : Status(done.error());
  }
  // ProtoJSON takes a single object for a list of one.
  if (!list.isArray() && !list.find("parts"))
    return invalid(list, path,
                   "a saved thread, a list of Contents, or a list of steps" + std::string(kOthers));
  for (const json::Value content : json::ElementRange::orSelf(list)) {
    const json::Value parts = content.find("parts");
    if (!parts.isArray() && !parts.isObject()) {
      return invalid(content, path + "/" + std::to_string(thread.size()),
                     "a Content with parts" + std::string(kOthers));
    }
    thread.append(content.bytes(), content, {}, Thread::Policy::kWarn);
  }
  return {};
}

}  // namespace strata::thread
