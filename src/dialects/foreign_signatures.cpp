#include "dialects/foreign_signatures.h"

#include "dialects/import_notes.h"
#include "gemini/content_view.h"
#include "json/string.h"

namespace strata::dialects {
namespace {

using catalogue::Rule;
using catalogue::Severity;

// Builds the thread anew, turn by turn.
class Treatment {
 public:
  Treatment(const thread::Thread& thread, ForeignSignatures mode, thread::Thread& made)
      : thread_(thread), mode_(mode), made_(made) {}

  catalogue::Findings run() {
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
    gemini::ContentView view;
    view.read(tape.value().root());
    const lint::Provenance from = {known.find("model").text(), known.find("backend").text()};
    const bool foreign = lint::foreignSeverity(from, thread_.target()) != Severity::kOff;
    const std::string treated = contentOf(bytes, view, foreign);
    if (treated.empty()) {
      made_.append(bytes, view.content, known, thread::Thread::Policy::kWarn);
    } else {
      const Result<json::Tape> read = json::Tape::read(treated);
      made_.append(treated, read.value().root(), known, thread::Thread::Policy::kWarn);
    }
  }

  // A first call of a step of the current turn that nothing signs gets the placeholder.
  bool needsPlaceholder(const gemini::PartView& part, bool firstCall, bool stripped) const {
    const lint::SequenceState& end = thread_.checkpointAfter(thread_.size()).state;
    const catalogue::Finding missing{Rule::kSignatureMissing};
    return mode_ == ForeignSignatures::kDummy && firstCall && (stripped || !part.isSigned()) &&
           static_cast<int32_t>(turn_) > end.opening &&
           thread_.target().severity(missing) == Severity::kError;
  }

  // The Content with its Parts treated; "" where nothing had to change.
  std::string contentOf(std::string_view bytes, const gemini::ContentView& view, bool foreign) {
    std::string parts;
    bool changed = false;
    bool firstCall = view.isModel();
    for (size_t i = 0; i < view.partViews.size(); ++i) {
      const gemini::PartView& part = view.partViews[i];
      const bool strip = foreign && part.isSigned() && !lint::isPlaceholder(part.signature.text());
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

  static bool isEmptyText(const gemini::PartView& part) {
    return part.kind == gemini::PartKind::kText && part.data.isString() && part.data.raw().empty();
  }

  void noteStripped(size_t part) {
    notes_.leftOut(Path().at("contents").at(turn_).at("parts").at(part), "A signature",
                   "another model or service made it");
  }

  static std::string partWithout(const gemini::PartView& part, bool fill) {
    std::string out = "{";
    for (const json::Member member : json::members(part.part)) {
      if (gemini::isField(member.key, "thoughtSignature")) continue;
      if (out.size() > 1) out.push_back(',');
      out.append(member.key.bytes()).append(":").append(member.value.bytes());
    }
    if (fill) {
      out += ",\"thoughtSignature\":";
      json::appendQuoted(out, lint::kPlaceholder);
    }
    return out + "}";
  }

  const thread::Thread& thread_;
  ForeignSignatures mode_;
  thread::Thread& made_;
  Notes notes_;
  size_t turn_ = 0;
};

}  // namespace

void treatForeignSignatures(thread::Thread& thread, ForeignSignatures mode,
                            catalogue::Findings& notes) {
  if (mode == ForeignSignatures::kKeep) return;
  thread::Thread made = thread;
  made.rewind(0);
  const catalogue::Findings told = Treatment(thread, mode, made).run();
  notes.insert(notes.end(), told.begin(), told.end());
  thread = std::move(made);
}

}  // namespace strata::dialects
