#include "history/import/foreign_signatures.h"

#include "history/content_view.h"
#include "history/import/notes.h"
#include "json/string.h"

namespace strata::history {
namespace {

using rules::Rule;
using rules::Severity;

// Builds the thread anew, turn by turn.
class Treatment {
 public:
  Treatment(const Thread& thread, ForeignSignatures mode, Thread& made)
      : thread_(thread), mode_(mode), made_(made) {}

  rules::Findings run() {
    for (turn_ = 0; turn_ < thread_.size(); ++turn_) treatTurn();
    return notes_.take();
  }

 private:
  void treatTurn() {
    const std::string_view bytes = thread_.content(turn_);
    // The log holds nothing that could not be read.
    const Result<json::Tape> tape = json::Tape::read(bytes);
    const std::string& meta = thread_.meta(turn_);
    const Result<json::Tape> about = json::Tape::read(meta);
    const json::Value known = about ? about.value().root() : json::Value();
    ContentView view;
    view.read(tape.value().root());
    const Provenance from = {known.find("model").text(), known.find("backend").text()};
    const bool foreign = foreignSeverity(from, thread_.target()) != Severity::kOff;
    const std::string treated = contentOf(bytes, view, foreign);
    if (treated.empty()) {
      made_.append(bytes, view.content, known, Thread::Policy::kWarn);
    } else {
      const Result<json::Tape> read = json::Tape::read(treated);
      made_.append(treated, read.value().root(), known, Thread::Policy::kWarn);
    }
  }

  // A first call of a step of the current turn that nothing signs gets the placeholder.
  bool needsPlaceholder(const PartView& part, bool firstCall, bool stripped) const {
    const SequenceState& end = thread_.behind(thread_.size()).state;
    const rules::Finding missing{Rule::kSignatureMissing};
    return mode_ == ForeignSignatures::kDummy && firstCall && (stripped || !part.isSigned()) &&
           static_cast<int32_t>(turn_) > end.opening &&
           thread_.target().severity(missing) == Severity::kError;
  }

  // The Content with its Parts treated; "" where nothing had to change.
  std::string contentOf(std::string_view bytes, const ContentView& view, bool foreign) {
    std::string parts;
    bool changed = false;
    bool firstCall = view.isModel();
    for (size_t i = 0; i < view.partViews.size(); ++i) {
      const PartView& part = view.partViews[i];
      const bool strip = foreign && part.isSigned() && !isPlaceholder(part.signature.text());
      const bool fill = needsPlaceholder(part, firstCall && part.isCall(), strip);
      if (part.isCall()) firstCall = false;
      changed = changed || strip || fill;
      // What fills its place is a finding of the turn itself.
      if (strip) noteStripped(i);
      // A signature was all that an empty text was there for.
      const bool last = i + 1 == view.partViews.size();
      if (strip && isEmptyText(part) && !(last && parts.empty())) continue;
      if (!parts.empty()) parts.push_back(',');
      parts += strip || fill ? partWithout(part, fill) : std::string(part.part.bytes());
    }
    if (!changed) return {};
    const size_t begin = view.parts.offset();
    const size_t end = begin + view.parts.bytes().size();
    return std::string(bytes.substr(0, begin)) + "[" + parts + "]" + std::string(bytes.substr(end));
  }

  static bool isEmptyText(const PartView& part) {
    return part.kind == PartKind::kText && part.data.isString() && part.data.raw().empty();
  }

  void noteStripped(size_t part) {
    notes_.leftOut(Path().at("contents").at(turn_).at("parts").at(part), "A signature",
                   "another model or service made it");
  }

  static std::string partWithout(const PartView& part, bool fill) {
    std::string out = "{";
    for (const json::Member member : json::members(part.part)) {
      if (isField(member.key, "thoughtSignature")) continue;
      if (out.size() > 1) out.push_back(',');
      out.append(member.key.bytes()).append(":").append(member.value.bytes());
    }
    if (fill) {
      out += ",\"thoughtSignature\":";
      json::appendQuoted(out, kPlaceholder);
    }
    return out + "}";
  }

  const Thread& thread_;
  ForeignSignatures mode_;
  Thread& made_;
  Notes notes_;
  size_t turn_ = 0;
};

}  // namespace

void treatForeignSignatures(Thread& thread, ForeignSignatures mode, rules::Findings& notes) {
  if (mode == ForeignSignatures::kKeep) return;
  Thread made = thread;
  made.rewind(0);
  const rules::Findings told = Treatment(thread, mode, made).run();
  notes.insert(notes.end(), told.begin(), told.end());
  thread = std::move(made);
}

}  // namespace strata::history
