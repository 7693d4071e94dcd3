// Loads any text as a saved thread, and checks that what loads is saved to bytes that load again
// without a change, and that a turn is appended under every policy or leaves the thread as it was.
#include "fuzz/cpp/threads.h"

namespace strata::fuzz {
namespace {

using thread::Thread;

void requireRecords(const std::vector<thread::CallRecord>& records, const test::Judge& judge) {
  std::string lines;
  for (const thread::CallRecord& record : records) lines += thread::recordLine(record) + "\n";
  Thread empty = judge.thread();
  std::vector<thread::CallRecord> again;
  require(static_cast<bool>(thread::loadSaved(empty, lines, &again)), "records load again", lines);
  require(again.size() == records.size(), "every record loads again", lines);
}

// Appends the last turn once more. What callers say about a turn is an object; a saved form may
// hold any JSON.
void checkAppend(const Thread& loaded, Thread::Policy policy, const test::Judge& judge) {
  const std::string bytes(loaded.content(loaded.size() - 1));
  const std::string meta(loaded.meta(loaded.size() - 1));
  const test::Json content(bytes);
  const test::Json said(meta);
  const json::Value about = said.root().isObject() ? said.root() : json::Value();
  Thread thread = loaded;
  const auto expected = thread.preview(bytes, content.root(), about, policy, {true, true});
  const auto done = thread.append(bytes, content.root(), about, policy, {true, true});
  require(done.accepted == expected.accepted, "a preview says what an append does", bytes);
  requireReport(done.findings, thread.target());
  if (!done.accepted) {
    require(test::hexDigest(thread) == test::hexDigest(loaded), "a rejected turn changes nothing",
            bytes);
  }
  requireSaves(thread, judge);
  thread.rewind(loaded.size());
  requireSaves(loaded, judge);
}

// The first line chooses model, service and policy; the rest is the saved form.
void run(std::string_view bytes) {
  Input input(bytes);
  Input choices(input.line());
  const test::Judge& judge = chooseJudge(choices);
  const auto policy = static_cast<Thread::Policy>(choices.below(3));
  Thread thread = judge.thread();
  std::vector<thread::CallRecord> records;
  const Status status = thread::loadSaved(thread, input.rest(), &records);
  if (!status) requireLocated(status.error(), input.rest());
  requireSaves(thread, judge);
  requireRecords(records, judge);
  if (thread.size() > 0) checkAppend(thread, policy, judge);
}

const Registration kTarget("saved_thread", run);

}  // namespace
}  // namespace strata::fuzz
