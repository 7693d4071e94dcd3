#include "repair/text_edits.h"

#include <algorithm>

namespace strata::repair {
namespace {

size_t endOf(json::Value value) { return value.offset() + value.bytes().size(); }

}  // namespace

Piece newText(std::string text) { return {std::move(text), 0, 0}; }

Piece copyOf(json::Value value) { return {{}, value.offset(), endOf(value)}; }

Edit removal(json::Value container, json::Value item) {
  size_t before = 0;
  json::Value last = item;
  for (const json::Member member : json::members(container)) {
    if (member.key == item) last = member.value;
    if (member.key.offset() < item.offset()) before = endOf(member.value);
  }
  for (const json::Value element : json::elements(container)) {
    if (element.offset() < item.offset()) before = endOf(element);
  }
  if (before > 0) return {before, endOf(last)};
  const bool only = last.next() == container.next();
  return {item.offset(), only ? endOf(last) : last.next().offset()};
}

Edit removal(json::Value before, json::Value element, json::Value after) {
  if (before) return {endOf(before), endOf(element)};
  return {element.offset(), after ? after.offset() : endOf(element)};
}

Edit insertion(json::Value object, std::vector<Piece> member) {
  const size_t at = endOf(object) - 1;
  if (object.size() > 0) member.insert(member.begin(), newText(","));
  return {at, at, std::move(member)};
}

Edit replacement(json::Value value, std::vector<Piece> pieces) {
  return {value.offset(), endOf(value), std::move(pieces)};
}

Edit replacement(json::Value value, Piece piece) {
  std::vector<Piece> pieces;
  pieces.push_back(std::move(piece));
  return replacement(value, std::move(pieces));
}

Edit wrapping(json::Value value, std::string before, std::string after) {
  Edit edit = replacement(value, newText(std::move(before)));
  edit.pieces.push_back(copyOf(value));
  edit.pieces.push_back(newText(std::move(after)));
  return edit;
}

Changes changesOf(Edit edit) {
  Changes changes;
  changes.push_back(std::move(edit));
  return changes;
}

bool Edits::touches(const Edit& edit) const {
  const auto other = std::lower_bound(sorted_.begin(), sorted_.end(), edit.begin,
                                      [](const Edit& each, size_t at) { return each.end < at; });
  return other != sorted_.end() && other->begin <= edit.end;
}

bool Edits::add(Changes fix) {
  if (std::any_of(fix.begin(), fix.end(), [this](const Edit& edit) { return touches(edit); })) {
    return false;
  }
  for (Edit& edit : fix) {
    // Edits of one fix may share an offset. They keep the order of the fix.
    const auto after =
        std::upper_bound(sorted_.begin(), sorted_.end(), edit.begin,
                         [](size_t at, const Edit& each) { return at < each.begin; });
    sorted_.insert(after, std::move(edit));
  }
  return !fix.empty();
}

Revision::Revision(std::string_view source)
    : source_(source), text_(source), runs_({{0, 0, source.size()}}) {}

const Revision::Run& Revision::runAt(size_t offset) const {
  const auto after = std::upper_bound(runs_.begin(), runs_.end(), offset,
                                      [](size_t at, const Run& run) { return at < run.at; });
  return *(after - 1);
}

size_t Revision::origin(size_t offset) const {
  const Run& run = runAt(offset);
  return run.from == npos ? npos : run.from + (offset - run.at);
}

void Revision::apply(const Edits& edits) {
  std::string text;
  std::vector<Run> runs;
  const auto copy = [&](size_t begin, size_t end) {
    while (begin < end) {
      const Run& run = runAt(begin);
      const size_t length = std::min(end, run.at + run.length) - begin;
      runs.push_back({text.size(), origin(begin), length});
      text.append(text_, begin, length);
      begin += length;
    }
  };
  size_t at = 0;
  for (const Edit& edit : edits.sorted()) {
    copy(at, edit.begin);
    for (const Piece& piece : edit.pieces) {
      copy(piece.begin, piece.end);
      if (piece.text.empty()) continue;
      runs.push_back({text.size(), npos, piece.text.size()});
      text += piece.text;
    }
    at = edit.end;
  }
  copy(at, text_.size());
  text_ = std::move(text);
  runs_ = std::move(runs);
}

Segments Revision::segments() const {
  Segments pieces;
  for (const Run& run : runs_) {
    if (run.from == npos) {
      pieces.own(std::string_view(text_).substr(run.at, run.length));
    } else {
      pieces.borrow(source_.substr(run.from, run.length));
    }
  }
  return pieces;
}

}  // namespace strata::repair
