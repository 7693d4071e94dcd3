// Binds stream::ResponseAssembler to JavaScript, where it implements ResponseAssembler.
#include <emscripten/bind.h>

#include "core.h"
#include "stream/response_assembler.h"

namespace strata::bindings {

class ResponseBinding {
 public:
  explicit ResponseBinding(Core& core) : exchange_(core.exchange()) {}

  /// Reads network bytes (part 0). Replies an array of events.
  void push() { exchange_.reply(response_.push(exchange_.part(0))); }
  /// Ends the response. Replies the remaining events.
  void end() { exchange_.reply(response_.end()); }
  /// Replies the summary and the bytes of the Content.
  void finish() {
    Segments content;
    content.own(response_.content());
    exchange_.reply(response_.summary(), std::move(content));
  }

 private:
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
