// Binds the assemblers of both wires to JavaScript, where they implement ResponseAssembler.
#include "response.h"

#include <emscripten/bind.h>

#include "gemini/content_queries.h"
#include "interactions/to_contents.h"
#include "json/validated.h"
#include "lint/answer_rules.h"

namespace strata::bindings {
namespace {

using stream::InteractionAssembler;
using stream::ResponseAssembler;

// Calls `action` with the assembler.
template <typename Answer, typename Action>
auto with(Answer& answer, const Action& action) {
  if (auto* interaction = std::get_if<InteractionAssembler>(&answer)) return action(*interaction);
  return action(*std::get_if<ResponseAssembler>(&answer));
}

// Keeps the steps from the last turn of the model on, without what a stored interaction repeats of
// its input, and returns the Content of this turn.
std::string convertAnswer(std::string& steps) {
  const json::Tape tape = json::readValidated(steps);
  catalogue::Findings losses;  // Thread::append reports them.
  auto turns = interactions::turnsOf(tape.root(), "", losses);
  if (!turns) return {};
  while (!turns.value().empty() && !turns.value().back().isOfModel) turns.value().pop_back();
  if (turns.value().empty()) return {};
  interactions::StepsTurn& last = turns.value().back();
  const char* from = tape.root().at(last.begin).bytes().data();
  steps = "[" + steps.substr(static_cast<size_t>(from - steps.data()));
  return std::move(last.content);
}

}  // namespace

AnswerContent::AnswerContent(const AnswerAssembler& answer)
    : bytes(bytesOf(answer)), tape(json::Tape::read(bytes, thread::kMaxContentDepth)) {}

std::string_view AnswerContent::bytesOf(const AnswerAssembler& answer) {
  if (const auto* response = std::get_if<ResponseAssembler>(&answer)) return response->content();
  steps = std::get_if<InteractionAssembler>(&answer)->steps();
  return converted = convertAnswer(steps);
}

ResponseBinding::ResponseBinding(Core& core, bool isInteraction)
    : core_(core), exchange_(core.exchange()) {
  if (isInteraction) response_.emplace<InteractionAssembler>();
  push();
}

AnswerAssembler ResponseBinding::endedCopy() const {
  return with(response_, [](const auto& answer) { return AnswerAssembler(answer.ended()); });
}

void ResponseBinding::push() {
  isEnded_ = false;
  content_.reset();
  exchange_.reply(with(response_, [&](auto& answer) { return answer.push(exchange_.part(0)); }));
}

void ResponseBinding::end() {
  isEnded_ = true;
  content_.reset();
  exchange_.reply(with(response_, [](auto& answer) { return answer.end(); }));
}

void ResponseBinding::content() {
  Segments content;
  if (isEnded_) {
    content.borrow(built().bytes);
  } else {
    const AnswerAssembler ended = endedCopy();
    content.own(AnswerContent(ended).bytes);
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
  const std::string events = with(response_, [](auto& answer) { return answer.end(); });
  isEnded_ = true;
  content_.reset();
  std::string summary = summaryOf(response_, built(), afterResponses, withContent);
  summary.pop_back();
  Segments content;
  if (withContent) content.borrow(built().bytes);
  exchange_.reply(summary + ",\"events\":" + events + "}", std::move(content));
}

const AnswerContent& ResponseBinding::built() {
  if (!content_) content_.emplace(response_);
  return *content_;
}

// The rest of an answer that ended in CONTINUATION comes with another response. An answer of
// nothing but empty texts is not worth a turn.
bool ResponseBinding::isWhole(const AnswerAssembler& ended, const AnswerContent& content) {
  const bool isEmpty =
      content.bytes.empty() || (content.tape && gemini::isBlank(content.tape.value().root()));
  return !isEmpty && with(ended, [](const auto& answer) {
    return answer.outcome() == stream::Outcome::kComplete &&
           answer.finishReason() != "CONTINUATION";
  });
}

void ResponseBinding::replyRefusal(const AnswerAssembler& ended, const AnswerContent& content) {
  exchange_.reply("{\"accepted\":false,\"summary\":" + summaryOf(ended, content, false, false) +
                  "}");
}

std::string ResponseBinding::summaryOf(const AnswerAssembler& ended, const AnswerContent& content,
                                       bool afterResponses, bool withContent) const {
  const auto* response = std::get_if<ResponseAssembler>(&ended);
  const std::string_view written = withContent ? content.bytes : std::string_view();
  std::string summary = response ? response->summary(withContent)
                                 : std::get_if<InteractionAssembler>(&ended)->summary(written);
  const auto outcome = with(ended, [](const auto& answer) { return answer.outcome(); });
  if (outcome != stream::Outcome::kComplete) return summary;
  // A Content that is too deep for a thread is an answer all the same.
  const Options deep(content.tape ? std::string_view() : content.bytes);
  const json::Value parsed = content.tape ? content.tape.value().root() : deep.root();
  json::Writer out;
  const std::string reason = with(ended, [](const auto& answer) { return answer.finishReason(); });
  lint::writeAnswer(out, reason, parsed, afterResponses, core_.targetOf({}));
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
