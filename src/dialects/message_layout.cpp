#include "dialects/message_layout.h"

#include <array>

namespace strata::dialects {
namespace {

constexpr std::array<std::string_view, 4> kPlaceNames = {"thought", "text", "image", "call"};
constexpr std::string_view kSignature = "thought_signature";

bool isText(const PartPlace& place) {
  return place.kind == PlaceKind::kText || place.kind == PlaceKind::kThought;
}

// Reads one element of a description. Returns false if it is none.
bool readPlace(json::Value given, PartPlace& place) {
  for (size_t i = 0; i < kPlaceNames.size(); ++i) {
    const int64_t size = given.find(kPlaceNames[i]).integer(-1);
    if (size < 0) continue;
    place.kind = static_cast<PlaceKind>(i);
    place.size = static_cast<size_t>(size);
    place.signature = given.find(kSignature).text();
    return true;
  }
  return false;
}

// Counts what `place` describes. Returns false if an image or a call is out of order.
bool count(const PartPlace& place, MessageSizes& sum) {
  switch (place.kind) {
    case PlaceKind::kThought:
      sum.thought += place.size;
      return true;
    case PlaceKind::kText:
      sum.text += place.size;
      return true;
    case PlaceKind::kImage:
      return place.size == sum.images++;
    default:
      return place.size == sum.calls++;
  }
}

}  // namespace

void MessageLayout::addText(bool thought, size_t bytes, std::string_view signature) {
  const PlaceKind kind = thought ? PlaceKind::kThought : PlaceKind::kText;
  if (signature.empty() && !places_.empty() && places_.back().kind == kind &&
      places_.back().signature.empty()) {
    places_.back().size += bytes;
  } else if (bytes > 0 || !signature.empty()) {
    places_.push_back({kind, bytes, std::string(signature)});
  }
}

void MessageLayout::addImage(std::string_view signature) {
  places_.push_back({PlaceKind::kImage, images_++, std::string(signature)});
}

void MessageLayout::addCall() { places_.push_back({PlaceKind::kCall, calls_++}); }

bool MessageLayout::isPlain() const {
  for (size_t i = 0; i < places_.size(); ++i) {
    const PartPlace& place = places_[i];
    if (!place.signature.empty() && place.kind != PlaceKind::kText) return false;
    if (i == 0) continue;
    const PartPlace& before = places_[i - 1];
    const bool twoTexts = isText(place) && before.kind == place.kind;
    if (place.kind < before.kind || twoTexts) return false;
  }
  return true;
}

void MessageLayout::write(json::Writer& out) const {
  std::string_view signature;
  for (const PartPlace& place : places_) {
    const bool isSigned = place.kind == PlaceKind::kText && !place.signature.empty();
    if (isSigned) signature = place.signature;
  }
  const bool plain = isPlain();
  if (plain && signature.empty()) return;
  const json::Writer::Scope extra = out.object("extra_content");
  const json::Writer::Scope google = out.object("google");
  if (!signature.empty()) out.key(kSignature).string(signature);
  if (!plain) writeParts(out);
}

void MessageLayout::writeParts(json::Writer& out) const {
  const json::Writer::Scope parts = out.array("parts");
  for (const PartPlace& place : places_) {
    const json::Writer::Scope part = out.object();
    out.key(kPlaceNames[static_cast<size_t>(place.kind)]);
    out.integer(static_cast<int64_t>(place.size));
    if (!place.signature.empty()) out.key(kSignature).string(place.signature);
  }
}

std::vector<PartPlace> readLayout(json::Value parts, const MessageSizes& sizes) {
  std::vector<PartPlace> places;
  MessageSizes sum;
  for (const json::Value given : json::elements(parts)) {
    PartPlace& place = places.emplace_back(PartPlace{PlaceKind::kText});
    if (!readPlace(given, place) || !count(place, sum)) return {};
  }
  const bool fits = sum.thought == sizes.thought && sum.text == sizes.text &&
                    sum.images == sizes.images && sum.calls == sizes.calls;
  return fits ? places : std::vector<PartPlace>();
}

}  // namespace strata::dialects
