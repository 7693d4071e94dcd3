// Binds stream::ResponseAssembler to JavaScript, where it implements ResponseAssembler.
#include <emscripten/bind.h>

#include "core.h"
#include "lint/answer_rules.h"
#include "stream/response_assembler.h"

namespace strata::bindings {

class ResponseBinding {
 public:
  explicit ResponseBinding(Core& core) : core_(core), exchange_(core.exchange()) {}

  /// Reads network bytes (part 0). Replies an array of events.
  void push() { exchange_.reply(response_.push(exchange_.part(0))); }
  /// Ends the response. Replies the remaining events.
  void end() { exchange_.reply(response_.end()); }
  /// Part 0: {"afterResponses":true} if the request ended with functionResponses, or nothing.
  /// Replies the summary and the bytes of the Content. The summary of a complete response has the
  /// member `answer`, see lint::writeAnswer.
  void finish() {
    bool afterResponses = false;
    if (!exchange_.part(0).empty()) {
      const Options given(exchange_.part(0));
      json::OptionsReader options = given.reader();
      options.boolean("afterResponses", afterResponses);
      if (const Status read = options.finish(); !read) return core_.replyOptionError(read.error());
    }
    const std::string bytes = response_.content();
    std::string summary = response_.summary();
    if (response_.outcome() == stream::Outcome::kComplete) {
      summary.pop_back();
      summary += ",\"answer\":" + answer(bytes, afterResponses) + "}";
    }
    Segments content;
    content.own(bytes);
    exchange_.reply(std::move(summary), std::move(content));
  }

 private:
  std::string answer(const std::string& content, bool afterResponses) const {
    const Options parsed(content);
    json::Writer out;
    lint::writeAnswer(out, response_.finishReason(), parsed.root(), afterResponses,
                      core_.targetOf({}));
    return out.take();
  }

  Core& core_;
  Exchange& exchange_;
  stream::ResponseAssembler response_;
};

EMSCRIPTEN_BINDINGS(response) {
  emscripten::class_<ResponseBinding>("Response")
      .constructor<Core&>()
      .function("push", &ResponseBinding::push)
      .function("end", &ResponseBinding::end)
      .function("finish", &ResponseBinding::finish);
}

}  // namespace strata::bindings
