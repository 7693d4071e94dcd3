#include "json/pointer.h"
#include "json/string.h"
#include "lint/signature.h"
#include "repair/fixes.h"

namespace strata::repair {
namespace {

using catalogue::Finding;

// What a finding's own path starts from.
json::Value baseOf(const Draft& draft, const Finding& finding) {
  if (finding.content < 0) return draft.request;
  return finding.part < 0 ? draft.view(finding).content : draft.part(finding).part;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

// The API's name for a role that another one uses; "" where that is not certain.
std::string_view roleFor(const gemini::ContentView& view) {
  if (view.roleKind == gemini::Role::kMissing) return view.hasCalls() ? "model" : "user";
  std::string role = view.role.text();
  for (char& c : role) c = lower(c);
  if (role == "assistant" || role == "model") return "model";
  return role == "tool" || role == "user" ? "user" : "";
}

// A field that is new to us may be data that is new to us.
bool isWithoutData(const gemini::PartView& part) {
  return part.kind == gemini::PartKind::kNone && !part.unknownKey;
}

}  // namespace

Draft::Draft(json::Value root, const lint::LintContext& about)
    : request(root), contents(gemini::field(root, "contents")), context(&about) {
  views.reserve(contents.size());
  for (const json::Value content : json::elements(contents)) {
    gemini::ContentView& view = views.emplace_back();
    view.read(content);
    int32_t step = steps_.empty() ? -1 : steps_.back();
    if (view.isModel()) step = view.hasCalls() ? static_cast<int32_t>(steps_.size()) : -1;
    steps_.push_back(step);
  }
}

const Step& Draft::answersAt(size_t at) const {
  if (!step_ || stepAt_ != at) step_.emplace(views[at - 1], lint::responsesIn(views[at]));
  stepAt_ = at;
  return *step_;
}

Edit Draft::withoutContent(size_t at) const {
  const json::Value before = at > 0 ? views[at - 1].content : json::Value();
  const json::Value behind = at + 1 < views.size() ? views[at + 1].content : json::Value();
  return without(before, views[at].content, behind);
}

Changes dropField(const Draft& draft, const Finding& finding) {
  const json::Place place = json::locate(baseOf(draft, finding), finding.path);
  if (!place.item) return {};
  return {without(place.container, place.item)};
}

Changes dropSecondSpelling(const Draft& draft, const Finding& finding) {
  const json::Place place = json::locate(baseOf(draft, finding), finding.path);
  if (!place.item) return {};
  const json::Value twin = gemini::camelCaseTwin(place.container, place.item);
  if (!twin || twin.next().bytes() != place.item.next().bytes()) return {};
  return {without(place.container, place.item)};
}

Edit setField(json::Value object, std::string_view name, std::vector<Piece> value) {
  const json::Value present = gemini::field(object, name);
  if (present) return replaced(present, std::move(value));
  value.insert(value.begin(), newText("\"" + std::string(name) + "\":"));
  return withMember(object, std::move(value));
}

Changes nameRole(const Draft& draft, const Finding& finding) {
  const gemini::ContentView& view = draft.view(finding);
  const std::string role(roleFor(view));
  if (role.empty()) return {};
  return {setField(view.content, "role", {newText("\"" + role + "\"")})};
}

Changes moveSignatureOut(const Draft& draft, const Finding& finding) {
  const gemini::PartView& part = draft.part(finding);
  for (const json::Member member : json::members(part.data)) {
    if (!gemini::isField(member.key, "thoughtSignature")) continue;
    const Edit out = without(part.data, member.key);
    const bool same = part.signature.bytes() == member.value.bytes();
    if (member.value.isNull() || same) return {out};
    // Two different signatures: which is the right one, nobody can tell.
    if (part.isSigned()) return {};
    return {out, setField(part.part, "thoughtSignature", {moved(member.value)})};
  }
  return {};
}

Changes dropSignature(const Draft& draft, const Finding& finding) {
  const gemini::PartView& part = draft.part(finding);
  return {without(part.part, part.signatureKey)};
}

Changes signWithPlaceholder(const Draft& draft, const Finding& finding) {
  const std::string quoted = "\"" + std::string(lint::kPlaceholder) + "\"";
  return {setField(draft.part(finding).part, "thoughtSignature", {newText(quoted)})};
}

Changes wrapResponse(const Draft& draft, const Finding& finding) {
  const json::Value payload = draft.part(finding).payload;
  return {replaced(payload, {newText("{\"output\":"), moved(payload), newText("}")})};
}

Changes dropPart(const Draft& draft, const Finding& finding) {
  const gemini::PartView& part = draft.part(finding);
  // A signature that streams send by itself has its place beside an empty text.
  if (isWithoutData(part) && part.isSigned()) {
    return {setField(part.part, "text", {newText("\"\"")})};
  }
  const bool emptyText = part.kind == gemini::PartKind::kText && !part.unknownKey && !part.otherKey;
  if (!emptyText && !isWithoutData(part)) return {};
  const std::vector<gemini::PartView>& parts = draft.view(finding).partViews;
  const auto at = static_cast<size_t>(finding.part);
  const json::Value before = at > 0 ? parts[at - 1].part : json::Value();
  const json::Value behind = at + 1 < parts.size() ? parts[at + 1].part : json::Value();
  return {without(before, part.part, behind)};
}

Changes dropContent(const Draft& draft, const Finding& finding) {
  const size_t at = draft.at(finding);
  const bool last = at + 1 == draft.views.size();
  if (draft.context->isTail || (last && (at == 0 || draft.views[at - 1].isModel()))) return {};
  return {draft.withoutContent(at)};
}

}  // namespace strata::repair
