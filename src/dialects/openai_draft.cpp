#include "dialects/openai_draft.h"

namespace strata::dialects {

void OpenAiDraft::refuse(const Path& path, std::string_view expected) {
  refuse(Error{"field.invalid", 0, path.text(), std::string(expected)});
}

void OpenAiDraft::refuse(const Error& error) {
  if (refused()) return;
  refusal = catalogue::toFinding(error, *target.catalogue);
  // Google's texts are about its own fields.
  refusal->hasUpstream = false;
}

void OpenAiDraft::drop(const Path& path, std::string_view name, std::string_view why) {
  notes.addOmitted(path, "The field " + std::string(name), why);
}

void OpenAiDraft::noteOthers(json::Value object, const Path& path, std::string_view known) {
  for (const json::Member member : json::members(object)) {
    const std::string name = member.key.text();
    const bool isKnown = (" " + std::string(known)).find(" " + name + " ") != std::string::npos;
    if (!isKnown && !member.value.isNull()) {
      drop(path.at(name), name, "generateContent has no such field");
    }
  }
}

json::Value givenMember(json::Value object, std::string_view name) {
  const json::Value member = object.find(name);
  return member.isNull() ? json::Value() : member;
}

}  // namespace strata::dialects
