// Reads any network bytes as an answer, and checks that the events and the Content are the same
// wherever the bytes are split, and that both are JSON.
#include "fuzz/cpp/checks.h"
#include "stream/response_assembler.h"

namespace strata::fuzz {
namespace {

struct Answer {
  std::string events;
  std::string content;
  std::string summary;
  stream::Outcome outcome = stream::Outcome::kComplete;

  bool operator==(const Answer& other) const {
    return events == other.events && content == other.content && summary == other.summary &&
           outcome == other.outcome;
  }
};

// Appends the elements of an array of events.
void addEvents(std::string& all, const std::string& array) {
  if (array == "[]") return;
  requireJson(array, "events are JSON");
  const std::string inside = array.substr(1, array.size() - 2);
  if (!all.empty()) all += ",";
  all += inside;
}

Answer read(const std::vector<std::string_view>& pieces) {
  stream::ResponseAssembler response;
  Answer answer;
  for (const std::string_view piece : pieces) addEvents(answer.events, response.push(piece));
  addEvents(answer.events, response.end());
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
