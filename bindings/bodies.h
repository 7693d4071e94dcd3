// Declares what the module check does with the body of a request.
#pragma once

#include <optional>

#include "core.h"
#include "json/text_place.h"
#include "lint/lint.h"
#include "repair/repair.h"

namespace strata::bindings {

/// Validates a request. Part 0: the body, part 1: LintOptions, part 2: not empty if the caller
/// gave a value, whose text it has not seen, so that findings have no place. Replies a report.
void lint(Core& core);
/// Repairs a request. Parts as in `lint`, with `dummySignatures` and `maxValues` in the options.
/// Replies a report and the body, or an error.
void repair(Core& core);
/// Finds values in a JSON text. Part 0: the text, part 1: an array of JSON Pointers, part 2:
/// {"positions":…}. Replies {"places":[…]}: the begin and end of each value, or of the nearest
/// container that lacks it. A text that only Google's parser takes is read as such. For an
/// invalid text, all places are the offset of the error.
void locate(Core& core);
/// Describes the history of a request. Part 0: the body, part 1: LintOptions with `maxContents`,
/// part 2 as in `lint`. Replies the turns as thread/timeline.h says, each with its range, and
/// `omitted` if there are more Contents. A body that cannot be read has no turns.
void timeline(Core& core);
/// Converts a history of any client to Contents. Part 0: the history, part 1: ImportOptions.
/// Replies {"size":…,"systemText":…,"diagnostics":[…]}, and the Contents as a JSON array of `size`
/// bytes, followed by the saved form of a thread with these turns; or an error.
void importHistory(Core& core);

/// Converts a request, a history or an answer to the other API. Part 0: the document, part 1:
/// ConvertOptions. Replies a report of what differs, and the converted document.
void convert(Core& core);

/// The options of `lint` and `repair`.
struct LintOptions {
  lint::LintContext context;
  repair::RepairOptions repair;
  std::optional<json::TextUnit> positions;
};
/// Reads LintOptions, which further options of the call may follow.
LintOptions readLintOptions(json::OptionsReader& options, const Core& core);
/// Replies the error of a repair that would read more than `maxValues`.
void replyTooMuch(Core& core);

}  // namespace strata::bindings
