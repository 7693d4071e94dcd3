#include "signatures/chain.h"

#include <algorithm>
#include <string_view>

namespace strata::signatures {
namespace {

// A step has fewer results. The bound keeps the time of a walk linear.
constexpr size_t kComparedResults = 128;

bool hasId(const gemini::PartView& part) { return part.id.isString() && !part.id.raw().empty(); }

}  // namespace

SipHash::Digest Chain::next(bool byModel, const SipHash::Digest& item) const {
  return SipHash(key_).add(bytesOf(state_)).add(bytesOf(item)).add(byModel ? "m" : "u").digest();
}

SipHash::Digest Chain::state() const {
  if (!text_) return state_;
  return textByModel_ ? afterItem_ : next(false, text_->digest());
}

void Chain::add(json::Value content, uint32_t index, std::vector<Place>& places) {
  view_.read(content);
  addParts(index, view_.isModel(), places);
}

void Chain::addAnswer(json::Value content, std::vector<Place>& places) {
  view_.read(content);
  addParts(0, true, places);
}

void Chain::addParts(uint32_t index, bool byModel, std::vector<Place>& places) {
  Place place;
  place.content = index;
  for (const gemini::PartView& part : view_.partViews) {
    const ItemKind kind = itemKindOf(part);
    place.isEmpty = kind == ItemKind::kEmpty;
    if (kind == ItemKind::kText || kind == ItemKind::kData) addItem(part, kind, byModel);
    if (byModel && kind != ItemKind::kThought && part.part.isObject()) {
      addPlace(part, place, places);
    }
    ++place.part;
  }
}

void Chain::addItem(const gemini::PartView& part, ItemKind kind, bool byModel) {
  if (text_ && (kind != ItemKind::kText || byModel != textByModel_)) {
    state_ = state();
    text_.reset();
  }
  if (byModel != inModelTurn_) results_.clear();
  inModelTurn_ = byModel;
  if (kind == ItemKind::kText) {
    if (!text_) text_.emplace(key_, kind);
    textByModel_ = byModel;
    text_->addText(part.data);
    // Only the places of a model need them.
    if (byModel) item_ = text_->digest();
    if (byModel) afterItem_ = next(byModel, item_);
    return;
  }
  CanonicalHash hash(key_, kind);
  hash.addPart(part.part);
  const SipHash::Digest item = hash.digest();
  if (isRepeated(part, item)) return;
  item_ = item;
  state_ = afterItem_ = next(byModel, item_);
}

bool Chain::isRepeated(const gemini::PartView& part, const SipHash::Digest& item) {
  if (!part.isResponse() || !hasId(part)) return false;
  const SipHash::Digest result = SipHash(key_).add(bytesOf(item)).add(part.id.text()).digest();
  if (std::find(results_.begin(), results_.end(), result) != results_.end()) return true;
  if (results_.size() < kComparedResults) results_.push_back(result);
  return false;
}

void Chain::addPlace(const gemini::PartView& part, Place place, std::vector<Place>& places) const {
  place.state = inModelTurn_ ? afterItem_ : state();
  if (inModelTurn_) place.item = item_;
  if (part.isSigned()) place.signature = part.signature;
  if (part.isCall() && hasId(part)) place.callId = part.id;
  places.push_back(place);
}

}  // namespace strata::signatures
