#include "thread/thread.h"

#include <algorithm>
#include <array>
#include <optional>

#include "lint/content_rules.h"
#include "repair/merged_metas.h"
#include "thread/open_step.h"

namespace strata::thread {
namespace {

const Checkpoint kStart{};
// A higher count is an error of the caller: no model accepts as many tokens.
constexpr int64_t kMaxTokens = 100'000'000;

TurnKind kindOf(const gemini::ContentView& view) {
  if (view.isModel()) return TurnKind::kModel;
  return view.hasResponses() && !view.hasNonResponses() ? TurnKind::kTool : TurnKind::kUser;
}

lint::Provenance provenanceOf(json::Value meta) {
  return {meta.find("model").text(), meta.find("backend").text()};
}

}  // namespace

std::string_view kindName(TurnKind kind) {
  constexpr std::array<std::string_view, 3> kNames = {"user", "model", "tool"};
  return kNames[static_cast<size_t>(kind)];
}

Digest chainDigest(const Digest& before, std::string_view bytes) {
  const std::string length = ":" + std::to_string(bytes.size()) + ":";
  Sha256 hash;
  hash.add({reinterpret_cast<const char*>(before.data()), before.size()});
  return hash.add(length).add(bytes).finish();
}

const Checkpoint& Thread::checkpointAfter(size_t turns) const {
  return turns == 0 ? kStart : checkpoints_[turns - 1];
}

uint32_t Thread::tokensOf(json::Value content, json::Value meta) const {
  const int64_t counted = meta.find("tokens").integer(-1);
  return counted >= 0 && counted <= kMaxTokens ? static_cast<uint32_t>(counted)
                                               : estimate_(content);
}

catalogue::Findings Thread::check(const gemini::ContentView& view, json::Value meta) const {
  catalogue::Findings findings;
  const lint::SequenceState& state = checkpointAfter(size()).state;
  lint::checkContent(view, state.turns, target_, provenanceOf(meta), findings);
  std::optional<json::Tape> tape;
  gemini::ContentView calls;
  if (state.hasOpenCalls()) {
    // Every Content in the log is valid JSON.
    tape = json::Tape::read(content(size() - 1)).value();
    calls.read(tape->root());
  }
  lint::checkSequence(view, tape ? &calls : nullptr, state, findings);
  return findings;
}

void Thread::add(std::string_view bytes, const gemini::ContentView& view, std::string_view meta,
                 uint32_t tokens, const catalogue::Findings& findings) {
  const Checkpoint& last = checkpointAfter(size());
  Checkpoint next;
  next.state = lint::advance(last.state, view);
  next.kind = kindOf(view);
  next.hasMedia = view.hasMedia;
  next.tokens = last.tokens + tokens;
  next.digest = chainDigest(last.digest, bytes);
  turns_.append(bytes, meta);
  findings_.insert(findings_.end(), findings.begin(), findings.end());
  next.findings = static_cast<uint32_t>(findings_.size());
  checkpoints_.push_back(next);
}

AppendResult Thread::append(std::string_view bytes, json::Value content, json::Value meta,
                            Policy policy) {
  gemini::ContentView view;
  view.read(content);
  catalogue::Findings findings = check(view, meta);
  const catalogue::Target target = targetOf(policy);
  const bool hasErrors =
      std::any_of(findings.begin(), findings.end(), [&target](const catalogue::Finding& finding) {
        return target.severity(finding) == catalogue::Severity::kError;
      });
  if (hasErrors && policy == Policy::kRepair)
    return appendRepaired(bytes, meta, std::move(findings));
  const bool rejected = hasErrors && policy == Policy::kReject;
  if (!rejected) add(bytes, view, meta.bytes(), tokensOf(content, meta), findings);
  return {!rejected, std::move(findings)};
}

// Repaired bytes are estimated, because `meta.tokens` counted the original ones.
catalogue::Findings Thread::addRepaired(const std::string& bytes, const std::string& meta) {
  const json::Tape content = json::Tape::read(bytes).value();
  const Result<json::Tape> parsedMeta = json::Tape::read(meta);
  gemini::ContentView view;
  view.read(content.root());
  catalogue::Findings findings =
      check(view, parsedMeta ? parsedMeta.value().root() : json::Value());
  add(bytes, view, meta, estimate_(content.root()), findings);
  return findings;
}

AppendResult Thread::appendRepaired(std::string_view bytes, json::Value meta,
                                    catalogue::Findings findings) {
  std::optional<RepairedStep> step = repairOpenStep(*this, bytes, provenanceOf(meta));
  if (!step || step->contents.empty()) return {false, std::move(findings)};
  repair::MergedMetas metas(step->contents);
  for (size_t i = step->from; i < size(); ++i) metas.add(content(i), turns_.meta(i));
  metas.add(bytes, meta.bytes());
  rewind(step->from);
  for (size_t i = 0; i < step->contents.size(); ++i) {
    findings = addRepaired(step->contents[i], metas.of(i));
  }
  findings_.insert(findings_.end(), step->repairs.begin(), step->repairs.end());
  checkpoints_.back().findings = static_cast<uint32_t>(findings_.size());
  step->repairs.insert(step->repairs.end(), findings.begin(), findings.end());
  return {true, std::move(step->repairs)};
}

void Thread::rewind(size_t turns) {
  if (turns >= size()) return;
  findings_.resize(checkpointAfter(turns).findings);
  turns_.truncate(turns);
  checkpoints_.resize(turns);
}

catalogue::Findings Thread::findings(const lint::SequenceState& state) const {
  catalogue::Findings current;
  const catalogue::Target target = requestTarget();
  for (const catalogue::Finding& finding : findings_) {
    const catalogue::Severity severity = lint::severityNow(finding, state, target);
    if (severity == catalogue::Severity::kOff) continue;
    current.push_back(finding);
    current.back().severityCap = std::min(finding.severityCap, severity);
  }
  return current;
}

}  // namespace strata::thread
