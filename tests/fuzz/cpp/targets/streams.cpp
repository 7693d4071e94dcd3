// Reads any network bytes as an answer, and checks that the events, the last token counts and the
// Content are the same wherever the bytes are split, and that all are JSON.
#include "fuzz/cpp/checks.h"
#include "stream/response_assembler.h"

namespace strata::fuzz {
namespace {

struct Answer {
  std::string events;  // all but `usage`
  std::string usage;   // the last
  std::string content;
  std::string summary;
  stream::Outcome outcome = stream::Outcome::kComplete;

  bool operator==(const Answer&) const = default;
};

// Adds the events of one push. Each push with new counts has `usage`, whose last one holds.
void addEvents(Answer& answer, const std::string& array) {
  requireJson(array, "events are JSON");
  const Result<json::Tape> events = json::Tape::read(array);
  for (const json::Value event : json::elements(events.value().root())) {
    if (event.find("type").equals("usage")) {
      answer.usage = event.bytes();
    } else {
      answer.events.append(event.bytes()).push_back(',');
    }
  }
}

Answer read(const std::vector<std::string_view>& pieces) {
  stream::ResponseAssembler response;
  Answer answer;
  for (const std::string_view piece : pieces) addEvents(answer, response.push(piece));
  addEvents(answer, response.end());
  answer.content = response.content();
  answer.summary = response.summary();
  answer.outcome = response.outcome();
  return answer;
}

// The first line holds the sizes of the pieces.
void run(std::string_view bytes) {
  Input input(bytes);
  const std::string_view sizes = input.line();
  const std::string_view all = input.rest();
  const Answer whole = read(cut(all, ""));
  require(read(cut(all, sizes)) == whole, "a cut changes nothing", all);
  require(read(cut(all, std::string_view("\0", 1))) == whole, "single bytes change nothing", all);
  requireJson(whole.summary, "the summary is JSON");
  if (!whole.content.empty()) requireJson(whole.content, "the Content is JSON");
}

const Registration kTarget("streams", run);

}  // namespace
}  // namespace strata::fuzz
