// Keeps the history of a thread as steps of the Interactions API, so that a request converts only
// the turns that are new.
//
//     turns   {user}          {model}           {user}
//     steps   {user_input}   ,{thought},{call} ,{function_result}
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.h"
#include "catalogue/finding.h"
#include "interactions/convert.h"
#include "thread/thread.h"

namespace strata::layers {

class HistorySteps {
 public:
  /// Converts the turns of `thread` that have changed since the last call. Turns that came as steps
  /// are copied. `resolution` is that of their media; `placeholder` is that of ConvertOptions.
  /// O(bytes of those turns and of the step before them).
  void update(const thread::Thread& thread, const std::string& resolution, bool placeholder);

  /// Returns the steps of the turns [from, to), separated by commas. Consecutive Contents of the
  /// model are one turn there, whose steps are those of the last one. Valid until `update`.
  std::string_view steps(size_t from, size_t to) const;
  /// Appends what the turns from `from` on lose.
  void addLosses(size_t from, catalogue::Findings& findings) const;
  /// Returns the steps of a Content that follows the thread of the last `update`.
  std::string next(const thread::Thread& thread, json::Value content,
                   catalogue::Findings& findings) const;

 private:
  struct Turn {
    Digest digest{};    // of the thread behind it
    size_t end = 0;     // of its steps
    size_t losses = 0;  // of all turns so far
    size_t calls = 0;   // whose ids were invented so far
  };

  const Turn& before(size_t turn) const;
  void keep(size_t turns);

  std::string steps_;
  std::string resolution_;
  interactions::ConvertOptions options_;
  std::vector<Turn> turns_;
  std::vector<catalogue::Finding> losses_;
};

}  // namespace strata::layers
