// Fixes for roles, fields, signatures, and empty Parts and Contents.
#include "base/ascii.h"
#include "json/pointer.h"
#include "json/string.h"
#include "lint/signature.h"
#include "repair/fixes.h"

namespace strata::repair {
namespace {

using catalogue::Finding;

// Returns the value that a finding's path is relative to.
json::Value baseOf(const Snapshot& snapshot, const Finding& finding) {
  if (finding.content < 0) return snapshot.request;
  return finding.part < 0 ? snapshot.view(finding).content : snapshot.part(finding).part;
}

// Returns the role that the API expects instead of the given one, or "" if that is not certain.
std::string_view roleFor(const gemini::ContentView& view) {
  if (view.roleKind == gemini::Role::kMissing) return view.hasCalls() ? "model" : "user";
  const std::string role = ascii::lowerCase(view.role.text());
  if (role == "assistant" || role == "model" || role == "ai") return "model";
  const bool isUser = role == "user" || role == "human" || role == "tool" || role == "function";
  return isUser && !view.hasCalls() ? "user" : "";
}

// Returns whether a Part has no data. An unknown field may be a new kind of data.
bool hasNoData(const gemini::PartView& part) {
  return part.kind == gemini::PartKind::kNone && !part.unknownKey;
}

}  // namespace

Snapshot::Snapshot(json::Value root, const lint::LintContext& about)
    : request(about.isTail ? root : lint::requestOf(root)),
      contents(gemini::field(request, "contents")),
      context(&about),
      serverCalls(lint::mayHoldServerCalls(request, about)) {
  views.reserve(gemini::repeatedSize(contents));
  for (const json::Value content : gemini::repeated(contents)) {
    gemini::ContentView& view = views.emplace_back();
    view.read(content);
    int32_t step = steps_.empty() ? -1 : steps_.back();
    if (view.isModel()) step = view.hasCalls() ? static_cast<int32_t>(steps_.size()) : -1;
    steps_.push_back(step);
  }
}

const std::vector<interactions::PlacedStep>& Snapshot::steps() const {
  if (!placed_) placed_ = interactions::placedSteps(request.find("input"));
  return *placed_;
}

const Step& Snapshot::stepAnsweredAt(size_t index) const {
  if (!step_ || stepIndex_ != index) {
    step_.emplace(views[index - 1], lint::responsesIn(views[index]));
  }
  stepIndex_ = index;
  return *step_;
}

Edit Snapshot::contentRemoval(size_t index) const {
  const json::Value before = index > 0 ? views[index - 1].content : json::Value();
  const json::Value after = index + 1 < views.size() ? views[index + 1].content : json::Value();
  return removal(before, views[index].content, after);
}

Changes dropField(const Snapshot& snapshot, const Finding& finding) {
  if (isMisspelled(finding)) return {};
  const json::Place place = json::locate(baseOf(snapshot, finding), finding.path);
  if (!place.item) return {};
  return changesOf(removal(place.container, place.item));
}

Changes readEmptyObject(const Snapshot& snapshot, const Finding& finding) {
  if (finding.arg2 != "an object") return {};
  const json::Place place = json::locate(baseOf(snapshot, finding), finding.path);
  if (!place.item || !place.container.isObject()) return {};
  const json::Value value = place.item.valueOfKey();
  if (value.isArray() && value.size() == 0) return changesOf(replacement(value, newText("{}")));
  const bool isArguments = finding.arg1 == "args" || finding.arg1 == "arguments";
  if (!isArguments || !value.isString()) return {};
  const std::string text = value.text();
  if (text.empty()) return changesOf(replacement(value, newText("{}")));
  const Result<json::Tape> args = json::Tape::read(text);
  if (!args || !args.value().root().isObject()) return {};
  return changesOf(replacement(value, newText(text)));
}

Changes dropSecondSpelling(const Snapshot& snapshot, const Finding& finding) {
  // Far more than any object of the API has. Each finding would be looked for among all of them.
  constexpr size_t kMostFields = 256;
  const json::Place place = json::locate(baseOf(snapshot, finding), finding.path, kMostFields);
  if (!place.item) return {};
  const json::Value twin = gemini::camelCaseKeyOf(place.container, place.item);
  if (!twin || twin.valueOfKey().bytes() != place.item.valueOfKey().bytes()) return {};
  return changesOf(removal(place.container, place.item));
}

Edit setField(json::Value object, std::string_view name, Piece value) {
  const json::Value present = gemini::field(object, name);
  if (present) return replacement(present, std::move(value));
  std::vector<Piece> member;
  member.push_back(newText("\"" + std::string(name) + "\":"));
  member.push_back(std::move(value));
  return insertion(object, std::move(member));
}

Changes setRole(const Snapshot& snapshot, const Finding& finding) {
  const gemini::ContentView& view = snapshot.view(finding);
  const std::string role(roleFor(view));
  if (role.empty()) return {};
  return changesOf(setField(view.content, "role", newText("\"" + role + "\"")));
}

Changes moveSignatureToPart(const Snapshot& snapshot, const Finding& finding) {
  const gemini::PartView& part = snapshot.part(finding);
  for (const json::Member member : json::members(part.data)) {
    if (!gemini::isField(member.key, "thoughtSignature")) continue;
    Changes changes = changesOf(removal(part.data, member.key));
    const bool same = part.signature.bytes() == member.value.bytes();
    if (member.value.isNull() || same) return changes;
    // Of two different signatures, either can be the valid one.
    if (part.isSigned()) return {};
    changes.push_back(setField(part.part, "thoughtSignature", copyOf(member.value)));
    return changes;
  }
  return {};
}

Changes dropSignature(const Snapshot& snapshot, const Finding& finding) {
  const gemini::PartView& part = snapshot.part(finding);
  return changesOf(removal(part.part, part.signatureKey));
}

Changes addPlaceholderSignature(const Snapshot& snapshot, const Finding& finding) {
  const std::string quoted = "\"" + std::string(lint::kPlaceholder) + "\"";
  return changesOf(setField(snapshot.part(finding).part, "thoughtSignature", newText(quoted)));
}

Changes wrapResponse(const Snapshot& snapshot, const Finding& finding) {
  const json::Value payload = snapshot.part(finding).payload;
  return changesOf(wrapping(payload, "{\"output\":", "}"));
}

Changes dropPart(const Snapshot& snapshot, const Finding& finding) {
  const gemini::PartView& part = snapshot.part(finding);
  const bool emptyText = part.kind == gemini::PartKind::kText && !part.unknownKey && !part.otherKey;
  if (!emptyText && !hasNoData(part)) return {};
  const std::vector<gemini::PartView>& parts = snapshot.view(finding).partViews;
  const auto at = static_cast<size_t>(finding.part);
  const json::Value before = at > 0 ? parts[at - 1].part : json::Value();
  const json::Value after = at + 1 < parts.size() ? parts[at + 1].part : json::Value();
  return changesOf(removal(before, part.part, after));
}

Changes dropContent(const Snapshot& snapshot, const Finding& finding) {
  const size_t at = snapshot.indexOf(finding);
  const bool last = at + 1 == snapshot.views.size();
  if (snapshot.context->isTail || (last && (at == 0 || snapshot.views[at - 1].isModel())))
    return {};
  return changesOf(snapshot.contentRemoval(at));
}

}  // namespace strata::repair
