// Writes any network bytes as an answer of OpenAI's API, whole and in chunks, and checks that every
// cut gives the same bytes and that these are JSON.
#include "dialects/openai_answer.h"

#include "dialects/openai_chunks.h"
#include "fuzz/cpp/checks.h"

namespace strata::fuzz {
namespace {

template <typename Answer>
std::string sentBy(const std::vector<std::string_view>& pieces) {
  Answer answer({"chatcmpl-1", 5, "gemini-3.8-flash", true});
  std::string sent;
  for (const std::string_view piece : pieces) sent += answer.push(piece);
  sent += answer.end();
  if (answer.failure() != dialects::AnswerFailure::kNone) {
    requireJson(answer.describeFailure(), "a failure is JSON");
  }
  return sent;
}

void requireEvents(std::string_view sent) {
  constexpr std::string_view kData = "data: ";
  while (!sent.empty()) {
    const size_t end = sent.find("\n\n");
    require(end != std::string_view::npos && sent.starts_with(kData), "a chunk is an event", sent);
    const std::string_view data = sent.substr(kData.size(), end - kData.size());
    if (data != "[DONE]") requireJson(data, "an event is JSON");
    sent.remove_prefix(end + 2);
  }
}

template <typename Answer>
std::string sentWhateverTheCut(std::string_view bytes, std::string_view sizes) {
  const std::string whole = sentBy<Answer>(cut(bytes, ""));
  require(sentBy<Answer>(cut(bytes, sizes)) == whole, "a cut changes nothing", bytes);
  return whole;
}

// The first line holds the sizes of the pieces.
void run(std::string_view bytes) {
  Input input(bytes);
  const std::string_view sizes = input.line();
  requireEvents(sentWhateverTheCut<dialects::OpenAiChunks>(input.rest(), sizes));
  const auto completion = sentWhateverTheCut<dialects::OpenAiCompletion>(input.rest(), sizes);
  if (!completion.empty()) requireJson(completion, "a completion is JSON");
}

const Registration kTarget("openai_answer", run);

}  // namespace
}  // namespace strata::fuzz
