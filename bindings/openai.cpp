// Binds OpenAI's dialect to JavaScript: requests, and answers, which implement OpenAiAnswer.
#include "openai.h"

#include <emscripten/bind.h>

#include <memory>

#include "dialects/openai_answer.h"
#include "dialects/openai_chunks.h"
#include "dialects/openai_request.h"

namespace strata::bindings {
namespace {

// A refused or converted request; part 0 must stay in place.
void replyRequest(Exchange& exchange, const dialects::OpenAiRequest& request) {
  if (request.refusal) return exchange.replyError(*request.refusal, request.target);
  json::Writer out;
  out.open('{').key("model").string(request.model).key("stream").boolean(request.stream);
  out.key("includeUsage").boolean(request.includeUsage);
  {
    const json::Writer::Scope names = out.object("names");
    for (const auto& [name, client] : request.names) out.key(name).string(client);
  }
  out.key("diagnostics");
  catalogue::writeDiagnostics(out, request.notes, request.target);
  Segments body;
  body.own(request.body);
  exchange.reply(out.close('}').take(), std::move(body));
}

}  // namespace

void openAiRequest(Core& core) {
  Exchange& exchange = core.exchange();
  const Options given(exchange.part(1));
  json::OptionsReader options = given.reader();
  dialects::OpenAiRequestOptions read;
  options.string("model", read.model);
  catalogue::readService(options, read.service);
  if (const Status status = options.finish(); !status) return core.replyOptionError(status.error());
  const Result<dialects::OpenAiRequest> request =
      dialects::convertOpenAiRequest(exchange.part(0), read, core.catalogue());
  if (!request) return exchange.replyError(request.error(), core.targetOf(""));
  replyRequest(exchange, request.value());
}

class OpenAiAnswerBinding {
 public:
  /// Part 0: OpenAiAnswerOptions. Replies {} or an error.
  explicit OpenAiAnswerBinding(Core& core) : exchange_(core.exchange()) {
    const Options given(exchange_.part(0));
    json::OptionsReader options = given.reader();
    dialects::OpenAiAnswerOptions read;
    bool stream = false;
    std::vector<std::pair<std::string, std::string>> names;
    options.nonEmptyString("id", read.id).count("created", read.created, json::Need::kRequired);
    options.nonEmptyString("model", read.model).boolean("stream", stream);
    options.boolean("includeUsage", read.includeUsage).stringMap("names", names);
    read.names = dialects::FunctionNames(std::move(names));
    const Status status = options.finish();
    if (!status) {
      core.replyOptionError(status.error());
      return;
    }
    if (stream) {
      answer_ = std::make_unique<dialects::OpenAiChunks>(std::move(read));
    } else {
      answer_ = std::make_unique<dialects::OpenAiCompletion>(std::move(read));
    }
    exchange_.reply("{}");
  }

  /// Reads network bytes (part 0). Replies {} and the bytes to send on.
  void push() { replyBytes("{}", answer_->push(exchange_.part(0))); }
  /// Ends the answer. Replies the remaining bytes, with {"failure":{…}} if a whole answer failed:
  /// a stream reports its failure itself.
  void end() {
    const std::string bytes = answer_->end();
    const bool failed = bytes.empty() && answer_->failure() != dialects::AnswerFailure::kNone;
    replyBytes(failed ? "{\"failure\":" + answer_->describeFailure() + "}" : "{}", bytes);
  }

 private:
  void replyBytes(std::string document, const std::string& bytes) {
    Segments sent;
    sent.own(bytes);
    exchange_.reply(std::move(document), std::move(sent));
  }

  Exchange& exchange_;
  std::unique_ptr<dialects::OpenAiAnswer> answer_;
};

EMSCRIPTEN_BINDINGS(openai) {
  emscripten::class_<OpenAiAnswerBinding>("OpenAiAnswer")
      .constructor<Core&>()
      .function("push", &OpenAiAnswerBinding::push)
      .function("end", &OpenAiAnswerBinding::end);
}

}  // namespace strata::bindings
