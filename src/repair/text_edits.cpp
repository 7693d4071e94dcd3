#include "repair/text_edits.h"

#include <algorithm>

namespace strata::repair {

using catalogue::TextEdit;

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

bool Edits::add(Changes fix, size_t number) {
  if (std::any_of(fix.begin(), fix.end(), [this](const Edit& edit) { return touches(edit); })) {
    return false;
  }
  for (Edit& edit : fix) {
    if (number != 0) edit.fix = number;
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

// Visits the runs of [begin, end), cut to it.
template <typename Visit>
void Revision::visitRuns(size_t begin, size_t end, const Visit& visit) const {
  while (begin < end) {
    Run run = runAt(begin);
    const size_t skipped = begin - run.at;
    run.at = begin;
    run.length = std::min(end - begin, run.length - skipped);
    if (run.from != npos) run.from += skipped;
    visit(run);
    begin += run.length;
  }
}

// Joins a fix with those that wrote or moved the bytes [begin, end), which it now changes itself.
void Revision::joinNew(size_t begin, size_t end, size_t fix) {
  visitRuns(begin, end, [&](const Run& run) { join(run.fix, fix); });
}

void Revision::noteRemoval(size_t begin, size_t end, size_t fix) {
  if (fix == 0) return;
  joinNew(begin, end, fix);
  visitRuns(begin, end, [&](const Run& run) {
    if (run.stays()) removals_.push_back({run.from, fix});
  });
}

void Revision::copy(size_t begin, size_t end, size_t movedBy, Draft& draft) const {
  visitRuns(begin, end, [&](Run run) {
    const size_t at = draft.text.size();
    draft.text.append(text_, run.at, run.length);
    run.at = at;
    if (movedBy != 0) {
      run.fix = movedBy;
      run.isMoved = true;
    }
    draft.runs.push_back(run);
  });
}

void Revision::applyEdit(const Edit& edit, Draft& draft) {
  size_t at = edit.begin;
  for (const Piece& piece : edit.pieces) {
    // Bytes that are copied in their order stay where they are.
    const bool stays = piece.begin >= at && piece.end <= edit.end;
    if (stays && piece.begin < piece.end) {
      noteRemoval(at, piece.begin, edit.fix);
      at = piece.end;
    }
    if (!stays) joinNew(piece.begin, piece.end, edit.fix);
    copy(piece.begin, piece.end, stays ? 0 : edit.fix, draft);
    if (piece.text.empty()) continue;
    draft.runs.push_back({draft.text.size(), npos, piece.text.size(), edit.fix});
    draft.text += piece.text;
  }
  noteRemoval(at, edit.end, edit.fix);
}

void Revision::apply(const Edits& edits) {
  Draft draft;
  size_t at = 0;
  for (const Edit& edit : edits.sorted()) {
    copy(at, edit.begin, 0, draft);
    applyEdit(edit, draft);
    at = edit.end;
  }
  copy(at, text_.size(), 0, draft);
  text_ = std::move(draft.text);
  runs_ = std::move(draft.runs);
}

size_t Revision::groupOf(size_t fix) const {
  while (fix < groups_.size() && groups_[fix] != fix) fix = groups_[fix];
  return fix;
}

void Revision::join(size_t fix, size_t other) {
  if (fix == 0 || other == 0) return;
  for (size_t next = groups_.size(); next <= std::max(fix, other); ++next) groups_.push_back(next);
  const size_t group = groupOf(fix);
  const size_t otherGroup = groupOf(other);
  groups_[std::max(group, otherGroup)] = std::min(group, otherGroup);
  // The next search is short.
  groups_[fix] = groups_[other] = std::min(group, otherGroup);
}

std::vector<TextEdit> Revision::differences() {
  std::vector<TextEdit> found;
  TextEdit open{};
  size_t start = 0;  // Of the new text of `open`.
  const auto close = [&](const Run& run) {
    open.end = run.from;
    open.text = std::string_view(text_).substr(start, run.at - start);
    if (open.end > open.begin || !open.text.empty()) found.push_back(open);
    open = {run.from + run.length, 0, {}, 0};
    start = run.at + run.length;
  };
  for (const Run& run : runs_) {
    if (run.stays()) {
      close(run);
    } else {
      join(open.fix, run.fix);
      open.fix = run.fix;
    }
  }
  close({text_.size(), source_.size(), 0});
  for (const Removal& removal : removals_) {
    const auto behind =
        std::upper_bound(found.begin(), found.end(), removal.from,
                         [](size_t from, const TextEdit& each) { return from < each.begin; });
    if (behind == found.begin()) continue;
    TextEdit& difference = *(behind - 1);
    join(difference.fix, removal.fix);
    difference.fix = removal.fix;
  }
  return found;
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
