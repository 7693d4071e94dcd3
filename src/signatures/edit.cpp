#include "signatures/edit.h"

#include <string>
#include <utility>

#include "base/heap_sort.h"
#include "gemini/content_view.h"
#include "json/string.h"
#include "repair/text_edits.h"
#include "signatures/canonical.h"

namespace strata::signatures {
namespace {

using repair::copyOf;
using repair::Edit;
using repair::newText;
using repair::Piece;

size_t endOf(json::Value value) { return value.offset() + value.bytes().size(); }

std::string quoted(std::string_view text) {
  std::string out;
  json::appendQuoted(out, text);
  return out;
}

std::string memberOf(std::string_view signature) {
  return "\"thoughtSignature\":" + quoted(signature);
}

std::string emptyText(std::string_view signature) {
  return "{\"text\":\"\"," + memberOf(signature) + "}";
}

std::vector<json::Member> signaturesIn(json::Value part) {
  std::vector<json::Member> found;
  for (const json::Member member : json::members(part)) {
    if (gemini::isField(member.key, "thoughtSignature")) found.push_back(member);
  }
  return found;
}

// Writes a Part that has the field in both spellings anew.
Edit rewriting(json::Value part, const std::optional<std::string>& signature) {
  std::vector<Piece> pieces = {newText("{")};
  for (const json::Member member : json::members(part)) {
    if (gemini::isField(member.key, "thoughtSignature")) continue;
    if (pieces.size() > 1) pieces.push_back(newText(","));
    pieces.push_back(copyOf(member.key));
    pieces.push_back(newText(":"));
    pieces.push_back(copyOf(member.value));
  }
  const std::string comma = pieces.size() > 1 ? "," : "";
  pieces.push_back(newText((signature ? comma + memberOf(*signature) : "") + "}"));
  return repair::replacement(part, std::move(pieces));
}

Edit setting(json::Value part, const std::string& signature) {
  const std::vector<json::Member> old = signaturesIn(part);
  if (old.size() > 1) return rewriting(part, signature);
  if (old.empty()) return repair::insertion(part, {newText(memberOf(signature))});
  return repair::replacement(old.front().value, newText(quoted(signature)));
}

// A Part without any field is invalid, so one with nothing but a signature becomes an empty text.
Edit clearing(json::Value part) {
  const std::vector<json::Member> old = signaturesIn(part);
  if (old.empty()) return {part.offset(), part.offset()};
  if (part.size() == old.size()) return repair::replacement(part, newText("{\"text\":\"\"}"));
  if (old.size() > 1) return rewriting(part, {});
  return repair::removal(part, old.front().key);
}

// The Parts of one Content.
class PartList {
 public:
  explicit PartList(json::Value content) {
    view_.read(content);
    isList_ = view_.parts.isArray();
  }

  bool isList() const { return isList_; }
  size_t size() const { return view_.partViews.size(); }
  json::Value at(size_t index) const { return view_.partViews[index].part; }
  bool isEmptyText(size_t index) const {
    return index < size() && at(index).isObject() &&
           itemKindOf(view_.partViews[index]) == ItemKind::kEmpty;
  }
  json::Value whole() const { return view_.parts; }
  /// Returns whether a Part can be inserted.
  bool canGrow() const { return isList_ || view_.parts.isObject(); }

 private:
  gemini::ContentView view_;
  bool isList_ = false;
};

// Returns the edit that inserts an empty text in front of the Part `index`, or behind the last one.
Edit inserting(const PartList& parts, size_t index, std::string_view signature) {
  size_t at = parts.whole().offset() + 1;
  std::string text = emptyText(signature);
  if (index > 0) {
    at = endOf(parts.at(index - 1));
    text.insert(0, ",");
  } else if (parts.size() > 0) {
    at = parts.at(0).offset();
    text.append(",");
  }
  return {at, at, {newText(std::move(text))}};
}

// An edit that the caller named, with its number.
struct Numbered {
  SignatureEdit edit;
  size_t number = 0;
};

bool isBefore(const Numbered& a, const Numbered& b) {
  if (a.edit.content != b.edit.content) return a.edit.content < b.edit.content;
  if (a.edit.part != b.edit.part) return a.edit.part < b.edit.part;
  return b.edit.after && !a.edit.after;
}

Error noSuchPlace(const Numbered& named) {
  return {"field.invalid", 0, "/edits/" + std::to_string(named.number),
          "a place that the body has, named once"};
}

// Returns the text with edits in ascending order.
Segments spliced(std::string_view text, const std::vector<Edit>& edits) {
  Segments out;
  size_t at = 0;
  for (const Edit& edit : edits) {
    out.borrow(text.substr(at, edit.begin - at));
    for (const Piece& piece : edit.pieces) {
      out.own(piece.text);
      out.borrow(text.substr(piece.begin, piece.end - piece.begin));
    }
    at = edit.end;
  }
  out.borrow(text.substr(at));
  return out;
}

// Collects the edits of one text, in ascending order.
class EditList {
 public:
  /// Adds the edits that are named for one Content.
  Status add(json::Value content, const Numbered* begin, const Numbered* end);
  const std::vector<Edit>& edits() const { return edits_; }

 private:
  bool add(const PartList& parts, const SignatureEdit& edit);

  std::vector<Edit> edits_;
  // Of the current Content.
  size_t editedParts_ = 0;  // No Part before this one can be edited any more.
  bool inserted_ = false;
};

bool EditList::add(const PartList& parts, const SignatureEdit& edit) {
  if (edit.part < (edit.after ? -1 : 0) || edit.part >= static_cast<int64_t>(parts.size())) {
    return false;
  }
  const auto index = static_cast<size_t>(edit.part + (edit.after ? 1 : 0));
  if (edit.after && !parts.isEmptyText(index)) {
    if (!edit.signature || !parts.canGrow()) return false;
    inserted_ = true;
    edits_.push_back(inserting(parts, index, *edit.signature));
    return true;
  }
  const json::Value part = parts.at(index);
  if (!part.isObject() || index < editedParts_) return false;
  editedParts_ = index + 1;
  edits_.push_back(edit.signature ? setting(part, *edit.signature) : clearing(part));
  return true;
}

Status EditList::add(json::Value content, const Numbered* begin, const Numbered* end) {
  const PartList parts(content);
  const size_t before = edits_.size();
  editedParts_ = 0;
  inserted_ = false;
  for (const Numbered* each = begin; each != end; ++each) {
    const bool repeats = each != begin && !isBefore(*(each - 1), *each);
    if (repeats || !add(parts, each->edit)) return noSuchPlace(*each);
  }
  if (!inserted_ || parts.isList()) return {};
  // A single Part becomes the element of a list.
  const size_t at = parts.whole().offset();
  edits_.insert(edits_.begin() + static_cast<ptrdiff_t>(before), {at, at, {newText("[")}});
  edits_.push_back({endOf(parts.whole()), endOf(parts.whole()), {newText("]")}});
  return {};
}

std::vector<Numbered> inOrder(const std::vector<SignatureEdit>& edits) {
  std::vector<Numbered> sorted;
  sorted.reserve(edits.size());
  for (const SignatureEdit& edit : edits) sorted.push_back({edit, sorted.size()});
  heapSort(sorted.begin(), sorted.end(), isBefore);
  return sorted;
}

}  // namespace

Result<Segments> editSignatures(json::Value request, std::string_view text,
                                const std::vector<SignatureEdit>& edits) {
  const std::vector<Numbered> sorted = inOrder(edits);
  const Numbered* at = sorted.data();
  const Numbered* const end = at + sorted.size();
  EditList list;
  uint32_t index = 0;
  for (const json::Value content : gemini::repeated(request.find("contents"))) {
    const Numbered* const begin = at;
    while (at != end && at->edit.content == index) ++at;
    ++index;
    if (begin == at) continue;
    if (Status status = list.add(content, begin, at); !status) return status;
  }
  if (at != end) return noSuchPlace(*at);
  return spliced(text, list.edits());
}

}  // namespace strata::signatures
