#include "thread/tail.h"

#include <vector>

#include "gemini/content_queries.h"
#include "gemini/content_view.h"
#include "json/validated.h"

namespace strata::thread {
namespace {

// Writes members of an open object.
void writeMembers(json::Writer& out, const Thread& thread) {
  const Checkpoint& last = thread.checkpointAfter(thread.size());
  json::Writer calls;
  // Every Content in the log is valid JSON.
  const std::string text = thread.openContents();
  const json::Tape tape = json::readValidated(text);
  std::vector<json::Value> contents;
  for (const json::Value content : json::elements(tape.root())) contents.push_back(content);
  const size_t openCalls = gemini::writeCalls(calls, gemini::openCallsOf(contents));
  const bool isEmpty = thread.size() == 0;
  out.key("kind").string(isEmpty ? "empty" : kindName(last.kind));
  out.key("turns").integer(last.state.turns);
  out.key("awaitsAnswer").boolean(!isEmpty && (!last.state.model || openCalls > 0));
  out.key("hasResponses").boolean(last.state.responses > 0);
  out.key("blank").boolean(last.isBlank).key("openCalls").raw(calls.text());
}

// Writes the text of a Content as a JSON string.
void writeText(json::Writer& out, json::Value content) {
  out.raw("\"" + gemini::spokenText(content) + "\"");
}

bool isOnlyText(const Checkpoint& turn, json::Value content) {
  const json::Value parts = content.find("parts");
  const json::Value part = parts.isObject() ? parts : parts.at(0);
  return turn.kind == TurnKind::kUser && gemini::repeatedSize(parts) == 1 &&
         part.find("text").isString() && !part.find("thought").isTrue();
}

}  // namespace

void writeTail(json::Writer& out, const Thread& thread) {
  out.open('{');
  writeMembers(out, thread);
  out.close('}');
}

void writeTailWithText(json::Writer& out, const Thread& thread) {
  out.open('{');
  writeMembers(out, thread);
  if (thread.size() == 0) {
    out.key("text").string("").key("onlyText").boolean(false).close('}');
    return;
  }
  const json::Tape tape = json::readValidated(thread.content(thread.size() - 1));
  writeText(out.key("text"), tape.root());
  const Checkpoint& last = thread.checkpointAfter(thread.size());
  out.key("onlyText").boolean(isOnlyText(last, tape.root())).close('}');
}

void writeLastUserText(json::Writer& out, const Thread& thread) {
  const Checkpoint& last = thread.checkpointAfter(thread.size());
  const int32_t index = last.state.plainOpeningIndex;
  out.open('{').key("turns").integer(last.state.turns).key("index").integer(index).key("text");
  if (index < 0) {
    out.string("").close('}');
    return;
  }
  const json::Tape tape = json::readValidated(thread.content(static_cast<size_t>(index)));
  writeText(out, tape.root());
  out.close('}');
}

}  // namespace strata::thread
