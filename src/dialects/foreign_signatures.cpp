#include "dialects/foreign_signatures.h"

#include "dialects/import_notes.h"
#include "gemini/content_view.h"
#include "json/string.h"

namespace strata::dialects {
namespace {

using catalogue::Rule;
using catalogue::Severity;

// Rebuilds the thread turn by turn.
class SignatureRewriter {
 public:
  SignatureRewriter(const thread::Thread& thread, ForeignSignatures mode, thread::Thread& result)
      : thread_(thread), mode_(mode), result_(result) {}

  catalogue::Findings run() {
    for (turn_ = 0; turn_ < thread_.size(); ++turn_) rewriteTurn();
    return notes_.take();
  }

 private:
  void rewriteTurn() {
    const std::string_view bytes = thread_.content(turn_);
    // Contents in the log are valid JSON.
    const Result<json::Tape> tape = json::Tape::read(bytes);
    const std::string_view meta = thread_.meta(turn_);
    const Result<json::Tape> metaTape = json::Tape::read(meta);
    const json::Value origin = metaTape ? metaTape.value().root() : json::Value();
    gemini::ContentView view;
    view.read(tape.value().root());
    const lint::Provenance from = {origin.find("model").text(), origin.find("backend").text()};
    const bool foreign = lint::foreignSeverity(from, thread_.target()) != Severity::kOff;
    const std::string rewritten = rewriteContent(bytes, view, foreign);
    if (rewritten.empty()) {
      result_.append(bytes, view.content, origin, thread::Thread::Policy::kWarn);
    } else {
      const Result<json::Tape> read = json::Tape::read(rewritten);
      result_.append(rewritten, read.value().root(), origin, thread::Thread::Policy::kWarn);
    }
  }

  // Returns whether a Part is the unsigned first call of a step of the current turn.
  bool needsPlaceholder(const gemini::PartView& part, bool firstCall, bool stripped) const {
    const lint::SequenceState& end = thread_.checkpointAfter(thread_.size()).state;
    const catalogue::Finding missing{Rule::kSignatureMissing};
    return mode_ == ForeignSignatures::kDummy && firstCall && (stripped || !part.isSigned()) &&
           static_cast<int32_t>(turn_) > end.openingIndex &&
           thread_.target().severity(missing) == Severity::kError;
  }

  // Returns the rewritten Content, or "" if nothing changed.
  std::string rewriteContent(std::string_view bytes, const gemini::ContentView& view,
                             bool foreign) {
    std::string parts;
    bool changed = false;
    bool firstCall = view.isModel();
    for (size_t i = 0; i < view.partViews.size(); ++i) {
      const gemini::PartView& part = view.partViews[i];
      const bool strip = foreign && part.isSigned() && !lint::isPlaceholder(part.signature.text());
      const bool fill = needsPlaceholder(part, firstCall && part.isCall(), strip);
      if (part.isCall()) firstCall = false;
      changed = changed || strip || fill;
      // lint reports the placeholder (`signature.dummy`).
      if (strip) noteStripped(i);
      // Keep one if the Content would be empty otherwise.
      const bool last = i + 1 == view.partViews.size();
      if (strip && onlyCarries(part) && !(last && parts.empty())) continue;
      if (!parts.empty()) parts.push_back(',');
      parts += strip || fill ? partWithout(part, fill) : std::string(part.part.bytes());
    }
    if (!changed) return {};
    const size_t begin = view.parts.offset();
    const size_t end = begin + view.parts.bytes().size();
    return std::string(bytes.substr(0, begin)) + "[" + parts + "]" + std::string(bytes.substr(end));
  }

  // Returns whether a signed Part is an empty text, or nothing but its signature.
  static bool onlyCarries(const gemini::PartView& part) {
    const bool isText = part.kind == gemini::PartKind::kText && part.data.isString();
    return part.part.size() == 1 || (isText && part.data.raw().empty());
  }

  void noteStripped(size_t part) {
    notes_.addOmitted(Path().at("contents").at(turn_).at("parts").at(part), "A signature",
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
    // A Part must have a field.
    if (out.size() == 1) out += R"("text":"")";
    return out + "}";
  }

  const thread::Thread& thread_;
  ForeignSignatures mode_;
  thread::Thread& result_;
  ImportNotes notes_;
  size_t turn_ = 0;
};

}  // namespace

void rewriteForeignSignatures(thread::Thread& thread, ForeignSignatures mode,
                              catalogue::Findings& notes) {
  if (mode == ForeignSignatures::kKeep) return;
  thread::Thread result = thread;
  result.rewind(0);
  notes.append(SignatureRewriter(thread, mode, result).run());
  thread = std::move(result);
}

}  // namespace strata::dialects
