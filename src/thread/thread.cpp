#include "thread/thread.h"

#include <algorithm>
#include <array>
#include <optional>

#include "gemini/content_queries.h"
#include "interactions/to_contents.h"
#include "json/validated.h"
#include "lint/content_rules.h"
#include "lint/response_pairing.h"
#include "repair/merged_metas.h"
#include "repair/repair.h"
#include "thread/open_step.h"
#include "thread/turn_meta.h"

namespace strata::thread {
namespace {

const Checkpoint kStart{};
// A higher count is an error of the caller: no model accepts as many tokens.
constexpr int64_t kMaxTokens = 100'000'000;

lint::Provenance provenanceOf(json::Value meta) {
  return {meta.find("model").text(), meta.find("backend").text()};
}

// The open calls at the end of a thread, with the Contents that they are in: usually one.
class OpenCalls {
 public:
  void read(const Thread& thread) {
    // Every Content in the log is valid JSON.
    text_ = thread.openContents();
    tape_ = json::readValidated(text_);
    for (const json::Value content : json::elements(tape_.root())) {
      views_.emplace_back().read(content);
    }
    calls_ = lint::openCallsIn(views_);
  }
  const lint::Calls& calls() const { return calls_; }

 private:
  std::string text_;
  json::Tape tape_;
  std::vector<gemini::ContentView> views_;
  lint::Calls calls_;
};

// Returns whether the API sends answers that break the rule, although it refuses to take them back.
// Such an answer is appended as it came, or repaired, and judged again in the request. An answer of
// nothing but an empty text says nothing, so it is refused.
bool isSentByApi(catalogue::Rule rule, const gemini::ContentView& view, bool repairs) {
  const bool text =
      rule == catalogue::Rule::kTextEmpty || rule == catalogue::Rule::kTextLoneSurrogate;
  return text && !repairs && view.isModel() && !gemini::isBlank(view.content);
}

// Adds what the steps of the next turn lose as a Content.
void addLosses(const std::string& steps, const lint::SequenceState& state,
               catalogue::Findings& findings) {
  const json::Tape tape = json::readValidated(steps);
  catalogue::Findings losses;
  const auto turns = interactions::turnsOf(tape.root(), "/steps", losses);
  // The Content is that of the last ones.
  if (turns && turns.value().size() > 1 && turns.value().back().isOfModel) {
    interactions::Losses(losses, interactions::kToGenerateContent)
        .lost("/steps", "What precedes the results of the API's own calls");
  }
  for (catalogue::Finding& loss : losses) loss.content = state.turns;
  findings.append(losses);
}

// Returns the metadata of a turn whose Content may have been replaced by `contents`.
std::string metaAmong(const std::vector<std::string>& contents, std::string_view turn,
                      std::string_view meta) {
  const bool isKept = std::find(contents.begin(), contents.end(), turn) != contents.end();
  return isKept ? std::string(meta) : withoutSteps(meta);
}

// Returns a JSON object with `tokens` added as its last member.
std::string withTokens(std::string_view object, uint32_t tokens) {
  const size_t end = object.rfind('}');
  const std::string_view members = end == std::string_view::npos ? "{" : object.substr(0, end);
  const bool isEmpty = members.find_first_not_of("{ \t\r\n") == std::string_view::npos;
  std::string out(members);
  return out.append(isEmpty ? "" : ",").append("\"tokens\":") + std::to_string(tokens) + "}";
}

}  // namespace

TurnKind kindOf(const gemini::ContentView& view) {
  if (view.isModel()) return TurnKind::kModel;
  return view.hasResponses() && !view.hasNonResponses() ? TurnKind::kTool : TurnKind::kUser;
}

std::string_view kindName(TurnKind kind) {
  constexpr std::array<std::string_view, 3> kNames = {"user", "model", "tool"};
  return kNames[static_cast<size_t>(kind)];
}

tokens::MediaCount mediaCountOf(const catalogue::Target& target) {
  return target.model->generation <= catalogue::Generation::k2_5 ? tokens::MediaCount::kGemini2
                                                                 : tokens::MediaCount::kGemini3;
}

Estimate estimateFor(const catalogue::Target& target) {
  const bool old = mediaCountOf(target) == tokens::MediaCount::kGemini2;
  return old ? tokens::estimateContentGemini2 : tokens::estimateContentGemini3;
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

std::string Thread::openContents() const {
  return "[" + std::string(contents(openFrom(), size())) + "]";
}

catalogue::Findings Thread::check(const gemini::ContentView& view, json::Value meta) const {
  catalogue::Findings findings;
  const lint::SequenceState& state = checkpointAfter(size()).state;
  lint::checkContent(view, state.turns, target_, provenanceOf(meta), findings);
  OpenCalls open;
  if (lint::answersCalls(view, state)) open.read(*this);
  lint::checkSequence(view, &open.calls(), state, target_, findings);
  for (catalogue::Finding& finding : findings) finding.singlePart = view.parts.isObject();
  if (const std::string steps = stepsIn(meta); !steps.empty()) addLosses(steps, state, findings);
  return findings;
}

catalogue::Findings Thread::checkSomeResponses(const gemini::ContentView& view,
                                               Policy policy) const {
  catalogue::Findings findings = check(view, {});
  findings.filter([policy](const catalogue::Finding& finding) {
    const bool moves =
        policy == Policy::kRepair && finding.rule == catalogue::Rule::kResponsePartsUnsupported;
    return !moves && finding.rule != catalogue::Rule::kResponseCount &&
           finding.rule != catalogue::Rule::kResponseOrder;
  });
  return findings;
}

void Thread::add(std::string_view bytes, const gemini::ContentView& view, json::Value meta,
                 const catalogue::Findings& findings) {
  const Checkpoint& last = checkpointAfter(size());
  Checkpoint next;
  next.state = lint::advance(last.state, view, target_);
  next.kind = kindOf(view);
  next.hasMedia = view.hasMedia;
  next.isBlank = gemini::isBlank(view.content);
  next.tokens = last.tokens + tokensOf(view.content, meta);
  next.digest = chainDigest(last.digest, bytes);
  if (const std::string steps = stepsIn(meta); !steps.empty()) {
    next.isSteps = true;
    next.digest = chainDigest(next.digest, steps);
  }
  turns_.append(bytes, meta.bytes());
  findings_.insert(findings_.end(), findings.begin(), findings.end());
  next.findings = static_cast<uint32_t>(findings_.size());
  checkpoints_.push_back(next);
}

bool Thread::hasErrors(const gemini::ContentView& view, const catalogue::Findings& findings,
                       Policy policy) const {
  const catalogue::Target target = targetOf(policy);
  const bool repairs = policy == Policy::kRepair;
  return std::any_of(findings.begin(), findings.end(), [&](const catalogue::Finding& finding) {
    if (isSentByApi(finding.rule, view, repairs)) return false;
    return repairs ? repair::isReason(finding, target)
                   : target.severity(finding) == catalogue::Severity::kError;
  });
}

AppendResult Thread::append(std::string_view bytes, json::Value content, json::Value meta,
                            Policy policy, const AppendOptions& options) {
  if (!options.learn) return appendOrRepair(bytes, content, meta, policy, options.placeholder);
  const json::Value counted = meta.find("tokens");
  if (counted) {
    AppendResult done = appendOrRepair(bytes, content, meta, policy, options.placeholder);
    if (!done.accepted) return done;
    const bool unchanged = this->content(size() - 1) == bytes;
    const tokens::Measure measure =
        unchanged ? tokens::measure(content, mediaCountOf(target_)) : measureLast();
    tokens::learn(calibration_, measure, static_cast<double>(counted.integer(0)));
    return done;
  }
  const tokens::Measure measure = tokens::measure(content, mediaCountOf(target_));
  const auto estimated = static_cast<uint32_t>(tokens::corrected(measure, calibration_));
  const std::string text = withTokens(meta.bytes(), estimated);
  const json::Tape tape = json::readValidated(text);
  return appendOrRepair(bytes, content, tape.root(), policy, options.placeholder);
}

AppendResult Thread::appendOrRepair(std::string_view bytes, json::Value content, json::Value meta,
                                    Policy policy, bool placeholder) {
  gemini::ContentView view;
  view.read(content);
  catalogue::Findings findings = check(view, meta);
  if (policy == Policy::kWarn || !hasErrors(view, findings, policy)) {
    add(bytes, view, meta, findings);
    return {true, std::move(findings)};
  }
  AppendResult done{false, std::move(findings)};
  if (policy == Policy::kRepair) done = appendRepaired(bytes, meta, std::move(done.findings));
  if (done.accepted || !placeholder) return done;
  return appendWithPlaceholder(bytes, meta, policy, std::move(done));
}

AppendResult Thread::preview(std::string_view bytes, json::Value content, json::Value meta,
                             Policy policy, const AppendOptions& options) const {
  gemini::ContentView view;
  view.read(content);
  catalogue::Findings findings = check(view, meta);
  const bool accepted = policy == Policy::kWarn || !hasErrors(view, findings, policy);
  const bool changes = policy == Policy::kRepair || options.placeholder;
  if (accepted || !changes) return {accepted, std::move(findings)};
  Thread trial = *this;
  return trial.append(bytes, content, meta, policy, options);
}

// Every Content in the log is valid JSON.
tokens::Measure Thread::measureLast() const {
  const json::Tape tape = json::readValidated(content(size() - 1));
  return tokens::measure(tape.root(), mediaCountOf(target_));
}

// A repaired turn has the count of its metadata, as it has when it is loaded again.
catalogue::Findings Thread::addRepaired(const std::string& bytes, const std::string& meta) {
  const json::Tape content = json::readValidated(bytes);
  const Result<json::Tape> parsedMeta = json::Tape::read(meta);
  const json::Value about = parsedMeta ? parsedMeta.value().root() : json::Value();
  gemini::ContentView view;
  view.read(content.root());
  catalogue::Findings findings = check(view, about);
  add(bytes, view, about, findings);
  return findings;
}

AppendResult Thread::appendRepaired(std::string_view bytes, json::Value meta,
                                    catalogue::Findings findings) {
  std::optional<RepairedStep> step = repairOpenStep(*this, bytes, provenanceOf(meta));
  if (!step || step->contents.empty()) return {false, std::move(findings)};
  repair::MergedMetas metas(step->contents);
  for (size_t i = step->from; i < size(); ++i) {
    metas.add(content(i), metaAmong(step->contents, content(i), turns_.meta(i)));
  }
  metas.add(bytes, metaAmong(step->contents, bytes, meta.bytes()));
  rewind(step->from);
  for (size_t i = 0; i < step->contents.size(); ++i) {
    findings = addRepaired(step->contents[i], metas.of(i));
  }
  findings_.insert(findings_.end(), step->repairs.begin(), step->repairs.end());
  checkpoints_.back().findings = static_cast<uint32_t>(findings_.size());
  step->repairs.append(findings);
  return {true, std::move(step->repairs)};
}

AppendResult Thread::appendWithPlaceholder(std::string_view bytes, json::Value meta, Policy policy,
                                           AppendResult rejected) {
  std::optional<SignedContent> content = addPlaceholders(*this, bytes);
  if (!content) return rejected;
  const json::Tape tape = json::readValidated(content->bytes);
  const std::string about = withoutSteps(meta ? meta.bytes() : "{}");
  const json::Tape aboutTape = json::readValidated(about);
  const json::Value kept = meta ? aboutTape.root() : json::Value();
  AppendResult done = appendOrRepair(content->bytes, tape.root(), kept, policy, false);
  if (!done.accepted) return rejected;
  catalogue::Findings& findings = content->repairs;
  findings.append(done.findings);
  return {true, std::move(findings)};
}

void Thread::rewind(size_t turns) {
  if (turns >= size()) return;
  findings_.resize(checkpointAfter(turns).findings);
  turns_.truncate(turns);
  checkpoints_.resize(turns);
}

catalogue::Findings Thread::findings(const lint::SequenceState& state, int32_t from) const {
  catalogue::Findings current;
  const catalogue::Target target = requestTarget();
  for (const catalogue::Finding& finding : findings_) {
    if (finding.content < from) continue;
    const catalogue::Severity severity = lint::severityNow(finding, state, target);
    if (severity == catalogue::Severity::kOff) continue;
    catalogue::Finding& kept = current.emplace_back(finding);
    kept.severityCap = std::min(finding.severityCap, severity);
  }
  return current;
}

}  // namespace strata::thread
