// Binds stream::ResponseAssembler to JavaScript, where it implements ResponseAssembler.
#include "response.h"

#include <emscripten/bind.h>

#include "gemini/content_queries.h"
#include "lint/answer_rules.h"

namespace strata::bindings {

void ResponseBinding::push() {
  isEnded_ = false;
  content_.reset();
  exchange_.reply(response_.push(exchange_.part(0)));
}

void ResponseBinding::end() {
  isEnded_ = true;
  content_.reset();
  exchange_.reply(response_.end());
}

void ResponseBinding::content() {
  Segments content;
  if (isEnded_) {
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
  const std::string events = response_.end();
  isEnded_ = true;
  content_.reset();
  std::string summary = summaryOf(response_, built(), afterResponses, withContent);
  summary.pop_back();
  Segments content;
  if (withContent) content.borrow(built().bytes);
  exchange_.reply(summary + ",\"events\":" + events + "}", std::move(content));
}

const AnswerContent& ResponseBinding::built() {
  if (!content_) content_.emplace(response_.content());
  return *content_;
}

// The rest of an answer that ended in CONTINUATION comes with another response. An answer of
// nothing but empty texts is not worth a turn.
bool ResponseBinding::isWhole(const stream::ResponseAssembler& ended,
                              const AnswerContent& content) {
  const bool isEmpty =
      content.bytes.empty() || (content.tape && gemini::isBlank(content.tape.value().root()));
  return !isEmpty && ended.outcome() == stream::Outcome::kComplete &&
         ended.finishReason() != "CONTINUATION";
}

void ResponseBinding::replyRefusal(const stream::ResponseAssembler& ended,
                                   const AnswerContent& content) {
  exchange_.reply("{\"accepted\":false,\"summary\":" + summaryOf(ended, content, false, false) +
                  "}");
}

std::string ResponseBinding::summaryOf(const stream::ResponseAssembler& ended,
                                       const AnswerContent& content, bool afterResponses,
                                       bool withContent) const {
  std::string summary = ended.summary(withContent);
  if (ended.outcome() != stream::Outcome::kComplete) return summary;
  // A Content that is too deep for a thread is an answer all the same.
  const Options deep(content.tape ? std::string_view() : content.bytes);
  const json::Value parsed = content.tape ? content.tape.value().root() : deep.root();
  json::Writer out;
  lint::writeAnswer(out, ended.finishReason(), parsed, afterResponses, core_.targetOf({}));
  summary.pop_back();
  return summary + ",\"answer\":" + out.take() + "}";
}

EMSCRIPTEN_BINDINGS(response) {
  emscripten::class_<ResponseBinding>("Response")
      .constructor<Core&>()
      .function("push", &ResponseBinding::push)
      .function("end", &ResponseBinding::end)
      .function("content", &ResponseBinding::content)
      .function("finish", &ResponseBinding::finish);
}

}  // namespace strata::bindings
