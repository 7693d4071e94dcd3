// Reads any network bytes as an answer of the Interactions API, and checks that the events and the
// steps are the same wherever the bytes are split, and that both are JSON.
#include "fuzz/cpp/checks.h"
#include "stream/interaction_assembler.h"

namespace strata::fuzz {
namespace {

struct Answer {
  std::string events;
  std::string steps;
  std::string summary;

  bool operator==(const Answer&) const = default;
};

// Appends the elements of an array of events.
void addEvents(std::string& all, const std::string& array) {
  if (array == "[]") return;
  requireJson(array, "events are JSON");
  if (!all.empty()) all += ",";
  all += array.substr(1, array.size() - 2);
}

Answer read(const std::vector<std::string_view>& pieces) {
  stream::InteractionAssembler response;
  Answer answer;
  for (const std::string_view piece : pieces) addEvents(answer.events, response.push(piece));
  addEvents(answer.events, response.end());
  answer.steps = response.steps();
  answer.summary = response.summary("");
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
  requireJson(whole.steps, "the steps are JSON");
}

const Registration kTarget("interaction_streams", run);

}  // namespace
}  // namespace strata::fuzz
