// Imports any history of one format, for the targets of the formats.
#pragma once

#include "dialects/import.h"
#include "fuzz/cpp/threads.h"
#include "support/imports.h"

namespace strata::fuzz {

/// The first line of `bytes` chooses model, service, what happens to signatures of others, whose
/// they are, and whether the format is named or detected. The rest is the history.
inline void checkImport(std::string_view bytes, dialects::Format format) {
  Input input(bytes);
  Input choices(input.line());
  const test::Judge& judge = chooseJudge(choices);
  dialects::ImportOptions options;
  options.signatures = static_cast<dialects::ForeignSignatures>(choices.below(3));
  if (choices.flag()) options.signaturesFrom.model = "gemini-2.5-flash";
  if (!choices.flag()) options.format = format;
  options.compose = test::composeParts;

  thread::Thread thread = judge.thread();
  dialects::Imported imported;
  const Status status = dialects::importHistory(thread, input.rest(), options, imported);
  requireReport(imported.notes, thread.target());
  if (!status) requireLocated(status.error(), input.rest());
  for (size_t i = 0; i < thread.size(); ++i) requireJson(thread.content(i), "a turn is JSON");
  requireSaves(thread, judge);
  requireTimeline(thread);
}

}  // namespace strata::fuzz
