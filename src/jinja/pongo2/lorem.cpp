// Produces the filler text of the tag lorem, in the paragraphs of pongo2's tags_lorem.go.
#include <array>

#include "jinja/pongo2/filters.h"
#include "jinja/text/split.h"

namespace strata::jinja::pongo2 {
namespace {

// In order of the letters A, B, ... of kParagraphs. A sentence that does not start a paragraph
// follows a space.
constexpr std::array<std::string_view, 16> kSentences = {
    "Lorem ipsum dolor sit amet, consectetur adipisici elit, sed eiusmod tempor incidunt ut labore "
    "et dolore magna aliqua.",
    "Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut aliquid ex ea "
    "commodi consequat.",
    "Quis aute iure reprehenderit in voluptate velit esse cillum dolore eu fugiat nulla pariatur.",
    "Excepteur sint obcaecat cupiditat non proident, sunt in culpa qui officia deserunt mollit "
    "anim id est laborum.",
    "Duis autem vel eum iriure dolor in hendrerit in vulputate velit esse molestie consequat, vel "
    "illum dolore eu feugiat nulla facilisis at vero eros et accumsan et iusto odio dignissim qui "
    "blandit praesent luptatum zzril delenit augue duis dolore te feugait nulla facilisi.",
    "Lorem ipsum dolor sit amet, consectetuer adipiscing elit, sed diam nonummy nibh euismod "
    "tincidunt ut laoreet dolore magna aliquam erat volutpat.",
    "Ut wisi enim ad minim veniam, quis nostrud exerci tation ullamcorper suscipit lobortis nisl "
    "ut aliquip ex ea commodo consequat.",
    "Nam liber tempor cum soluta nobis eleifend option congue nihil imperdiet doming id quod mazim "
    "placerat facer possim assum.",
    "Duis autem vel eum iriure dolor in hendrerit in vulputate velit esse molestie consequat, vel "
    "illum dolore eu feugiat nulla facilisis.",
    "At vero eos et accusam et justo duo dolores et ea rebum.",
    "Stet clita kasd gubergren, no sea takimata sanctus est Lorem ipsum dolor sit amet.",
    "Lorem ipsum dolor sit amet, consetetur sadipscing elitr, sed diam nonumy eirmod tempor "
    "invidunt ut labore et dolore magna aliquyam erat, sed diam voluptua.",
    "Lorem ipsum dolor sit amet, consetetur sadipscing elitr, At accusam aliquyam diam diam dolore "
    "dolores duo eirmod eos erat, et nonumy sed tempor et et invidunt justo labore Stet clita ea "
    "et gubergren, kasd magna no rebum.",
    "sanctus sea sed takimata ut vero voluptua. est Lorem ipsum dolor sit amet.",
    "Lorem ipsum dolor sit amet, consetetur sadipscing elitr, sed diam nonumy eirmod tempor "
    "invidunt ut labore et dolore magna aliquyam erat.",
    "Consetetur sadipscing elitr, sed diam nonumy eirmod tempor invidunt ut labore et dolore magna "
    "aliquyam erat, sed diam voluptua."};
constexpr std::array<std::string_view, 7> kParagraphs = {"ABCD", "EF",       "GE",       "HFG",
                                                         "I",    "JKLJKMNO", "PJKLJKLJK"};

void appendParagraph(Text& out, size_t at) {
  const std::string_view sentences = kParagraphs[at];
  for (size_t i = 0; i < sentences.size(); ++i) {
    out.append(i > 0 ? " " : "").append(kSentences[static_cast<size_t>(sentences[i] - 'A')]);
  }
}

text::Parts allWords(Runtime& runtime) {
  Text all(runtime);
  for (size_t i = 0; i < kParagraphs.size(); ++i) {
    appendParagraph(all, i);
    all.append(' ');
  }
  return text::splitWords(runtime.heap, all.view());
}

}  // namespace

Value lorem(Runtime& runtime, char method, int64_t count) {
  const text::Parts words = method == 'w' ? allWords(runtime) : text::Parts();
  Text out(runtime);
  for (int64_t i = 0; i < count && !out.failed(); ++i) {
    const auto at = static_cast<size_t>(i);
    if (method == 'w') {
      out.append(i > 0 ? " " : "").append(words[at % words.size()]);
      continue;
    }
    out.append(i > 0 ? "\n" : "").append(method == 'p' ? "<p>" : "");
    appendParagraph(out, at % kParagraphs.size());
    out.append(method == 'p' ? "</p>" : "");
  }
  return out.take();
}

}  // namespace strata::jinja::pongo2
