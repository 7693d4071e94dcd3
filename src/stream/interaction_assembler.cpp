#include "stream/interaction_assembler.h"

#include <algorithm>
#include <utility>

#include "interactions/answer.h"
#include "interactions/shapes.h"

namespace strata::stream {
namespace {

using interactions::AnswerStatus;
using interactions::hasName;
using interactions::NameList;

constexpr std::string_view kTier = "service_tier";

// The codes with which a prompt or an answer is blocked.
// Source: https://ai.google.dev/gemini-api/docs/api-errors.
constexpr NameList kBlocks =
    "safety recitation language prohibited_content spii blocklist image_safety "
    "image_prohibited_content image_recitation image_other content_blocked blocked";

struct Word {
  NameList words;
  int64_t status;
};

// The HTTP statuses of the errors that may stand within a stream, which has none of its own.
// Source: https://ai.google.dev/gemini-api/docs/api-errors.
constexpr Word kWords[] = {{"invalid_request failed_precondition parameter_unknown", 400},
                           {"authentication", 401},
                           {"payment_required", 402},
                           {"permission_denied", 403},
                           {"not_found model_not_found", 404},
                           {"already_exists aborted", 409},
                           {"out_of_range", 416},
                           {"rate_limit_exceeded quota_exceeded too_many_requests", 429},
                           {"cancelled", 499},
                           {"api_error", 500},
                           {"unimplemented not_implemented", 501},
                           {"service_unavailable", 503},
                           {"deadline_exceeded gateway_timeout", 504}};

int64_t statusOfWord(std::string_view word) {
  for (const Word& each : kWords) {
    if (hasName(each.words, word)) return each.status;
  }
  return 0;
}

}  // namespace

std::string InteractionAssembler::push(std::string_view bytes) {
  events_.begin(bytes.size() / 2);
  // The stream that resumes this one sends the event again of which only a part came, and goes on
  // behind an error of the connection.
  if (ended_ && truncated_) invalid_.reset();
  if (ended_) apiError_.reset();
  isResumed_ = isResumed_ || ended_;
  truncated_ = false;
  ended_ = false;
  decoder_.push(bytes, *this);
  return events_.take();
}

std::string InteractionAssembler::end() {
  ended_ = true;
  events_.begin(0);
  decoder_.end(*this);
  if (finishReason() == "STOP") emitHeld();
  if (isCallCut_ && isIncomplete()) invalid_.reset();
  // A stream may name its failure by the status alone.
  if (!apiError_ && !invalid_) failByStatus({});
  return events_.take();
}

void InteractionAssembler::onJson(std::string_view text) {
  if (apiError_ || (invalid_ && !isCallCut_)) return;
  if (const Status read = json::Tape::read(text, tape_); !read) {
    isCallCut_ = false;
    invalid_ = read.error();
    truncated_ = ended_ && invalid_->offset > 0;
    return;
  }
  handleEvent(tape_.root());
}

void InteractionAssembler::handleEvent(json::Value event) {
  const json::Value type = event.find("event_type");
  // A code of another kind of server has numbers and details, in the same place.
  if (findApiError(event) && (!type || type.equals("error"))) return handleFailure(event);
  if (const json::Value id = event.find("event_id"); id.isString()) lastEventId_ = id.text();
  if (!type) {
    isUnary_ = true;
    handleSteps(event.find("steps"));
    handleInteraction(event);
  } else if (type.equals("step.start")) {
    handleStart(event);
  } else if (type.equals("step.delta")) {
    handleDelta(event);
  } else if (type.equals("step.stop")) {
    handleStop(event);
  } else if (type.equals("interaction.status_update")) {
    const json::Value status = event.find("status");
    if (status.isString()) fields_.set("status", status.bytes());
  } else if (const json::Value interaction = event.find("interaction"); interaction.isObject()) {
    if (steps_.empty() && whole_.empty()) handleSteps(interaction.find("steps"));
    handleInteraction(interaction);
  }
}

void InteractionAssembler::handleInteraction(json::Value interaction) {
  updateFields(interaction);
  failByStatus(interaction.find("errors").at(0));
}

ApiError InteractionAssembler::statusError(json::Value error) const {
  ApiError failed;
  failed.status = error ? error.find("code").text() : status();
  failed.message =
      error ? error.find("message").text() : "The interaction has the status " + status() + ".";
  failed.code = statusOfWord(failed.status);
  return failed;
}

void InteractionAssembler::failByStatus(json::Value error) {
  if (interactions::isFailure(interactions::statusOf(status()))) fail(statusError(error));
}

void InteractionAssembler::handleFailure(json::Value event) {
  ApiError failed = *findApiError(event);
  const json::Value error = event.isArray() ? event.at(0).find("error") : event.find("error");
  // The code of this API is a word.
  if (failed.status.empty()) failed.status = error.find("code").text();
  if (failed.code == 0) failed.code = statusOfWord(failed.status);
  fail(std::move(failed));
}

void InteractionAssembler::fail(ApiError error) {
  apiError_ = std::move(error);
  events_.error(*apiError_);
}

void InteractionAssembler::handleSteps(json::Value steps) {
  for (const json::Value step : json::elements(steps)) {
    if (!whole_.empty()) whole_.push_back(',');
    whole_ += step.bytes();
    emitWhole(step);
  }
}

// Emits the events of a step that came whole.
void InteractionAssembler::emitWhole(json::Value step) {
  const json::Value type = step.find("type");
  if (type.equals("user_input") || type.equals("function_result")) return;
  if (type.equals("function_call")) return emitStep(step.bytes());
  const bool hasOther = emitTexts(step);
  if (hasOther || !(type.equals("thought") || type.equals("model_output")))
    events_.step(step.bytes());
}

// Emits the texts that a step has, and returns whether it has other Content.
bool InteractionAssembler::emitTexts(json::Value step) {
  const bool isThought = step.find("type").equals("thought");
  const json::Value list = step.find(isThought ? "summary" : "content");
  if (!list.raw().empty()) events_.text(list, isThought);
  bool hasOther = false;
  for (const json::Value content : json::ElementRange::orSelf(list)) {
    const json::Value text = content.find("text");
    if (!text.isString()) {
      hasOther = true;
    } else if (!text.raw().empty()) {
      events_.text(text, isThought);
    }
  }
  return hasOther;
}

// Emits a step that is no text.
void InteractionAssembler::emitStep(std::string_view step) {
  const Result<json::Tape> tape = json::Tape::read(step);
  if (!tape) return;
  const json::Value value = tape.value().root();
  if (value.find("type").equals("function_call")) {
    events_.call(value.find("name"), value.find("id"), value.find("arguments"));
  } else {
    events_.step(step);
  }
}

// A stream that resumes this one may start its steps anew.
void InteractionAssembler::handleStart(json::Value event) {
  isCallCut_ = false;  // The token limit cuts the last one only.
  emitHeld();
  const json::Value given = event.find("index");
  const int64_t index = given.integer(0);
  if (std::exchange(isResumed_, false) && given) {
    while (!steps_.empty() && steps_.back().index >= index) steps_.pop_back();
  }
  const json::Value step = event.find("step");
  steps_.push_back({index, {}});
  steps_.back().step.start(step);
  if (!step.find("type").equals("user_input")) emitTexts(step);
}

StepBuilder* InteractionAssembler::find(json::Value event) {
  const int64_t index = event.find("index").integer(0);
  for (auto each = steps_.rbegin(); each != steps_.rend(); ++each) {
    if (each->index == index) return &each->step;
  }
  return nullptr;
}

void InteractionAssembler::handleDelta(json::Value event) {
  StepBuilder* step = find(event);
  if (step == nullptr || step->isStopped())
    return refuse("a step.start before a step.delta", event);
  const DeltaText added = step->add(event.find("delta"));
  if (added.text && !added.text.raw().empty()) events_.text(added.text, added.thought);
  const json::Value usage = event.find("metadata").find("total_usage");
  if (usage.isObject() && fields_.set("usage", usage.bytes())) emitUsage();
}

void InteractionAssembler::handleStop(json::Value event) {
  StepBuilder* step = find(event);
  if (step == nullptr || step->isStopped()) return;
  if (!step->stop()) {
    refuse("an object as the arguments of the call " + stringValue(step->name()), event);
    isCallCut_ = true;
    return;
  }
  const bool isHeld = step->lacksArguments() && step == &steps_.back().step;
  isHeld_ = isHeld_ || isHeld;
  // The text of these was emitted with their deltas.
  const bool isText = step->is("thought") || step->is("model_output");
  if (!isText && !isHeld) emitStep(step->text());
}

// The call must not run without its arguments.
void InteractionAssembler::refuse(std::string detail, json::Value place) {
  isCallCut_ = false;
  invalid_ = Error{"answer.invalid", place.offset(), "", std::move(detail)};
}

// Emits the last call, which came without arguments, once it is known that the token limit has not
// cut it.
void InteractionAssembler::emitHeld() {
  if (std::exchange(isHeld_, false)) emitStep(steps_.back().step.text());
}

void InteractionAssembler::updateFields(json::Value object) {
  FieldList changed;
  bool isCounted = false;
  for (const json::Member member : json::members(object)) {
    if (member.key.equals("steps") || member.key.equals("event_type")) continue;
    if (member.key.equals("usage")) {
      isCounted = member.value.isObject() && fields_.set("usage", member.value.bytes());
    } else if (fields_.set(member.key, member.value)) {
      const std::string name = member.key.text();
      changed.set(name == "model" ? "modelVersion" : name, member.value.bytes());
    }
  }
  if (isCounted || !changed.get(kTier).empty()) emitUsage();
  events_.metadata(changed);
}

void InteractionAssembler::emitUsage() {
  if (!fields_.get("usage").empty()) events_.usage(usageMetadata());
}

std::string InteractionAssembler::status() const { return stringValue(fields_.get("status")); }
std::string InteractionAssembler::id() const { return stringValue(fields_.get("id")); }

std::string InteractionAssembler::finishReason() const {
  return std::string(interactions::finishReasonOf(interactions::statusOf(status())));
}

Outcome InteractionAssembler::outcome() const {
  if (apiError_)
    return hasName(kBlocks, apiError_->status) ? Outcome::kBlocked : Outcome::kApiError;
  if (invalid_) return truncated_ ? Outcome::kTruncated : Outcome::kInvalid;
  if (decoder_.isInsideJson()) return Outcome::kTruncated;
  // An answer that runs in the background is read whole before it is final.
  const AnswerStatus answered = interactions::statusOf(status());
  if (interactions::isFailure(answered)) return Outcome::kApiError;
  const bool isWhole = isUnary_ && answered != AnswerStatus::kUnknown;
  if (!isWhole && !interactions::isFinal(answered)) return Outcome::kTruncated;
  // Only a budget that is spent ends an answer within a step.
  return isIncomplete() || areStopped() ? Outcome::kComplete : Outcome::kTruncated;
}

bool InteractionAssembler::isIncomplete() const {
  return interactions::statusOf(status()) == AnswerStatus::kIncomplete;
}

bool InteractionAssembler::areStopped() const {
  return std::all_of(steps_.begin(), steps_.end(),
                     [](const IndexedStep& each) { return each.step.isStopped(); });
}

std::string InteractionAssembler::steps() const {
  std::string list = "[" + whole_;
  for (const IndexedStep& each : steps_) {
    const std::string text = each.step.text();
    const bool isCut = isHeld_ && &each == &steps_.back() && isIncomplete();
    if (text.empty() || isCut) continue;
    if (list.size() > 1) list.push_back(',');
    list += text;
  }
  return list + "]";
}

// Writes the fields that both APIs have by the names of generateContent. An interaction has none of
// these names itself; they would stand there twice.
void InteractionAssembler::writeFields(json::Writer& out) const {
  const std::string_view usage = fields_.get("usage");
  if (!usage.empty()) out.key("usageMetadata").raw(usageMetadata());
  if (!fields_.get("model").empty()) out.key("modelVersion").raw(fields_.get("model"));
  if (!id().empty()) out.key("responseId").string(id());
  fields_.write(out,
                {"usage", "model", "candidates", "usageMetadata", "modelVersion", "responseId"});
}

std::string InteractionAssembler::usageMetadata() const {
  const Result<json::Tape> usage = json::Tape::read(fields_.get("usage"));
  json::Writer out;
  interactions::writeUsageMetadata(out, usage ? usage.value().root() : json::Value());
  std::string counts = out.take();
  // The tier stands beside the counts here.
  const std::string_view tier = fields_.get(kTier);
  if (counts == "{}" || tier.empty() || tier.front() != '"') return counts;
  counts.back() = ',';
  counts.append(R"("serviceTier":)").append(tier).push_back('}');
  return counts;
}

std::string InteractionAssembler::summary(std::string_view content) const {
  const std::string reason = finishReason();
  json::Writer out;
  out.open('{');
  out.key("finishReason").string(reason);
  out.key("usage").raw(usageMetadata());
  out.key("response").open('{').key("candidates").open('[');
  if (!content.empty() || !reason.empty()) {
    out.open('{');
    if (!content.empty()) out.key("content").raw(content);
    if (!reason.empty()) out.key("finishReason").string(reason);
    out.close('}');
  }
  out.close(']');
  writeFields(out);
  out.close('}');
  if (!lastEventId_.empty()) out.key("lastEventId").string(lastEventId_);
  if (outcome() != Outcome::kComplete) writeFailure(out);
  out.close('}');
  return out.take();
}

void InteractionAssembler::writeFailure(json::Writer& out) const {
  const Outcome how = outcome();
  out.key("failure").open('{');
  if (apiError_ || how == Outcome::kApiError)
    writeError(out, apiError_ ? *apiError_ : statusError({}));
  out.key("kind").string(failureKind(how));
  if (how == Outcome::kBlocked) out.key("blockReason").string(apiError_->status);
  if (invalid_ && !apiError_) writeDetail(out, *invalid_);
  out.close('}');
}

}  // namespace strata::stream
