// Binds the assemblers of both wires to JavaScript, where they implement ResponseAssembler.
#include "response.h"

#include <emscripten/bind.h>

#include "gemini/content_queries.h"
#include "interactions/to_contents.h"
#include "json/validated.h"
#include "lint/answer_rules.h"

namespace strata::bindings {

namespace {

using interactions::StepsTurn;

bool hasInput(json::Value steps, const StepsTurn& turn) {
  for (size_t i = turn.begin; i < turn.end; ++i) {
    if (steps.at(i).find("type").equals("user_input")) return true;
  }
  return false;
}

// Returns the first turn of the answer. A stored interaction opens with its input, which may be a
// whole history: it ends with the last turn of the user's. Otherwise the results among the steps
// are of calls that the API itself has run.
size_t answerStart(json::Value steps, const std::vector<StepsTurn>& turns) {
  const bool repeatsInput = !turns.front().isOfModel;
  for (size_t end = turns.size(); end > 0; --end) {
    const StepsTurn& turn = turns[end - 1];
    if (!turn.isOfModel && (repeatsInput || hasInput(steps, turn))) return end;
  }
  return 0;
}

}  // namespace

// Keeps the steps of the model's answer, without what a stored interaction repeats of its input,
// and returns the Content of their last turn.
std::string AnswerContent::convertAnswer(std::string& steps) {
  const json::Tape tape = json::readValidated(steps);
  catalogue::Findings losses;  // Thread::append reports them.
  auto turns = interactions::turnsOf(tape.root(), "", losses);
  if (!turns) return {};
  while (!turns.value().empty() && !turns.value().back().isOfModel) turns.value().pop_back();
  if (turns.value().empty()) return {};
  StepsTurn& last = turns.value().back();
  const StepsTurn& first = turns.value()[answerStart(tape.root(), turns.value())];
  const char* from = tape.root().at(first.begin).bytes().data();
  const std::string_view end = tape.root().at(last.end - 1).bytes();
  steps = "[" + std::string(from, static_cast<size_t>(end.data() + end.size() - from)) + "]";
  return std::move(last.content);
}

ResponseBinding::ResponseBinding(Core& core, bool isInteraction)
    : core_(core), exchange_(core.exchange()) {
  if (isInteraction) interaction_ = std::make_unique<stream::InteractionAssembler>();
  push();
}

void ResponseBinding::push() {
  isEnded_ = false;
  content_.reset();
  const std::string_view bytes = exchange_.part(0);
  exchange_.reply(interaction_ ? interaction_->push(bytes) : response_.push(bytes));
}

std::string ResponseBinding::endNow() {
  isEnded_ = true;
  content_.reset();
  return interaction_ ? interaction_->end() : response_.end();
}

void ResponseBinding::end() { exchange_.reply(endNow()); }

void ResponseBinding::content() {
  Segments content;
  if (isEnded_ || interaction_) {
    content.borrow(built().bytes);
  } else {
    content.own(response_.ended().content());
  }
  exchange_.reply("{}", std::move(content));
}

void ResponseBinding::finish(bool withContent) {
  bool afterResponses = false;
  if (!exchange_.part(0).empty()) {
    const Options given(exchange_.part(0));
    json::OptionsReader options = given.reader();
    options.boolean("afterResponses", afterResponses);
    if (const Status read = options.finish(); !read) return core_.replyOptionError(read.error());
  }
  const std::string events = endNow();
  std::string summary = summaryOf(response_, built(), afterResponses, withContent);
  summary.pop_back();
  Segments content;
  if (withContent) content.borrow(built().bytes);
  exchange_.reply(summary + ",\"events\":" + events + "}", std::move(content));
}

const AnswerContent& ResponseBinding::built() {
  if (content_) return *content_;
  return interaction_ ? content_.emplace(*interaction_) : content_.emplace(response_.content());
}

bool ResponseBinding::isComplete(const stream::ResponseAssembler& ended) const {
  const stream::Outcome outcome = interaction_ ? interaction_->outcome() : ended.outcome();
  return outcome == stream::Outcome::kComplete;
}

std::string ResponseBinding::finishReason(const stream::ResponseAssembler& ended) const {
  return interaction_ ? interaction_->finishReason() : ended.finishReason();
}

// The rest of an answer that ended in CONTINUATION comes with another response. An answer of
// nothing but empty texts is not worth a turn.
bool ResponseBinding::isWhole(const stream::ResponseAssembler& ended,
                              const AnswerContent& content) const {
  const bool isEmpty =
      content.bytes.empty() || (content.tape && gemini::isBlank(content.tape.value().root()));
  return !isEmpty && isComplete(ended) && finishReason(ended) != "CONTINUATION";
}

void ResponseBinding::replyRefusal(const stream::ResponseAssembler& ended,
                                   const AnswerContent& content) {
  exchange_.reply("{\"accepted\":false,\"summary\":" + summaryOf(ended, content, false, false) +
                  "}");
}

std::string ResponseBinding::summaryOf(const stream::ResponseAssembler& ended,
                                       const AnswerContent& content, bool afterResponses,
                                       bool withContent) const {
  std::string summary =
      interaction_ ? interaction_->summary(withContent ? content.bytes : std::string_view())
                   : ended.summary(withContent);
  if (!isComplete(ended)) return summary;
  // A Content that is too deep for a thread is an answer all the same.
  const Options deep(content.tape ? std::string_view() : content.bytes);
  const json::Value parsed = content.tape ? content.tape.value().root() : deep.root();
  json::Writer out;
  lint::writeAnswer(out, finishReason(ended), parsed, afterResponses, core_.targetOf({}));
  summary.pop_back();
  return summary + ",\"answer\":" + out.take() + "}";
}

EMSCRIPTEN_BINDINGS(response) {
  emscripten::class_<ResponseBinding>("Response")
      .constructor<Core&, bool>()
      .function("push", &ResponseBinding::push)
      .function("end", &ResponseBinding::end)
      .function("content", &ResponseBinding::content)
      .function("finish", &ResponseBinding::finish);
}

}  // namespace strata::bindings
