#include "lint/surrogates.h"

#include "json/pointer.h"
#include "json/string.h"

namespace strata::lint {
namespace {

bool isCut(json::Value text) { return text.hasEscapes() && json::hasLoneSurrogate(text.raw()); }

// Walks through a value. The path grows and shrinks with the place.
class SurrogateCheck {
 public:
  SurrogateCheck(const catalogue::Finding& location, catalogue::Findings& findings)
      : location_(location), findings_(findings) {
    location_.rule = catalogue::Rule::kTextLoneSurrogate;
  }

  void visit(json::Member member) {
    const size_t length = location_.path.size();
    json::appendPointer(location_.path, member.key.text());
    visit(member.value, isCut(member.key));
    location_.path.resize(length);
  }

  void visit(json::Value value, bool keyIsCut) {
    if (left_ == 0) return;
    if (keyIsCut || isCut(value)) {
      findings_.push_back(location_);
      --left_;
    }
    for (const json::Member member : json::members(value)) visit(member);
    const size_t length = location_.path.size();
    size_t index = 0;
    for (const json::Value element : json::elements(value)) {
      json::appendPointer(location_.path, index++);
      visit(element, false);
      location_.path.resize(length);
    }
  }

 private:
  catalogue::Finding location_;
  catalogue::Findings& findings_;
  // Each finding has its path, and a path may be as long as the body.
  int left_ = 20;
};

}  // namespace

bool hasLoneSurrogates(json::Value value) {
  if (!value) return false;
  const json::Value end = value.next();
  for (; value != end; value = value.first()) {
    if (isCut(value)) return true;
  }
  return false;
}

void checkSurrogates(json::Value value, const catalogue::Finding& location,
                     catalogue::Findings& findings) {
  if (hasLoneSurrogates(value)) SurrogateCheck(location, findings).visit(value, false);
}

void checkSurrogates(json::Member member, const catalogue::Finding& location,
                     catalogue::Findings& findings) {
  if (isCut(member.key) || hasLoneSurrogates(member.value))
    SurrogateCheck(location, findings).visit(member);
}

}  // namespace strata::lint
