#include "catalogue/finding.h"

#include <algorithm>
#include <span>

#include "base/ascii.h"
#include "json/pointer.h"
#include "json/tape.h"
#include "json/text_place.h"

namespace strata::catalogue {
namespace {

bool isDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Returns the object that holds the field, in Google's notation: " at 'contents[2].parts[0]'".
std::string placeOf(const Finding& finding, int32_t contentOffset) {
  const std::string path = pathOf(finding, contentOffset);
  const size_t last = path.rfind('/');
  if (last == 0 || last == std::string::npos) return {};
  return " at '" + toGoogleNotation(std::string_view(path).substr(0, last)) + "'";
}

std::string_view placeholderValue(std::string_view name, const Finding& finding,
                                  std::string& number, int32_t contentOffset) {
  if (name == "arg1") return finding.arg1;
  if (name == "arg2") return finding.arg2;
  if (name == "at") return number = placeOf(finding, contentOffset);
  number = std::to_string(name == "part" ? finding.part : finding.content + contentOffset);
  return number;
}

// Replaces the placeholders of a text. Other braces stay.
std::string fillPlaceholders(std::string_view text, const Finding& finding, int32_t contentOffset) {
  std::string out;
  while (!text.empty()) {
    const size_t open = text.find('{');
    const size_t close = open == std::string_view::npos ? open : text.find('}', open);
    if (close == std::string_view::npos) break;
    const std::string_view name = text.substr(open + 1, close - open - 1);
    const bool known =
        name == "arg1" || name == "arg2" || name == "content" || name == "part" || name == "at";
    if (!known) {
      out.append(text.substr(0, open + 1));
      text.remove_prefix(open + 1);
      continue;
    }
    std::string number;
    out.append(text.substr(0, open));
    out.append(placeholderValue(name, finding, number, contentOffset));
    text.remove_prefix(close + 1);
  }
  return out.append(text);
}

// Returns how a message names the value at `path`: a member by its key, an element by its path.
std::string fieldName(const std::string& path) {
  if (path.empty()) return "the value";
  const std::string last = path.substr(path.rfind('/') + 1);
  return isDigits(last) ? "the value at " + path : last;
}

void writePlace(json::Writer& out, const Finding& finding) {
  if (finding.begin == std::string::npos) return;
  if (finding.line > 0) {
    out.key("line").integer(static_cast<int64_t>(finding.line));
    out.key("column").integer(static_cast<int64_t>(finding.column));
  }
  json::writeRange(out.key("range"), {finding.begin, finding.end});
}

// Writes the edits of a fix.
void writeEdits(json::Writer& out, std::span<const TextEdit> edits, size_t fix) {
  auto edit =
      std::lower_bound(edits.begin(), edits.end(), fix,
                       [](const TextEdit& each, size_t wanted) { return each.fix < wanted; });
  if (edit == edits.end() || edit->fix != fix) return;
  const json::Writer::Scope list = out.array("edits");
  for (; edit != edits.end() && edit->fix == fix; ++edit) {
    const json::Writer::Scope object = out.object();
    json::writeRange(out.key("range"), {edit->begin, edit->end});
    out.key("text").string(edit->text);
  }
}

// Returns whether one fix repairs the same fault at two places.
bool isSameFault(const Finding& one, const Finding& other) {
  return one.fix != 0 && one.fix == other.fix && one.rule == other.rule && one.arg1 == other.arg1 &&
         one.arg2 == other.arg2 && one.severityCap == other.severityCap;
}

void writePlaces(json::Writer& out, std::span<const Finding* const> places) {
  if (places.empty()) return;
  const json::Writer::Scope list = out.array("places");
  for (const Finding* place : places) {
    const json::Writer::Scope object = out.object();
    out.key("path").string(pathOf(*place));
    writePlace(out, *place);
  }
}

}  // namespace

Findings::Findings(std::initializer_list<Finding> findings) {
  for (const Finding& finding : findings) push_back(finding);
}

Findings Findings::unbounded(std::optional<Rule> only) {
  Findings findings;
  findings.isUnbounded_ = true;
  findings.only_ = only;
  return findings;
}

Finding& Findings::emplace_back() {
  settled();
  isOpen_ = true;
  return list_.emplace_back();
}

Finding& Findings::emplace_back(Finding finding) { return emplace_back() = std::move(finding); }

void Findings::push_back(Finding finding) { emplace_back() = std::move(finding); }

void Findings::clear() { *this = {}; }

void Findings::append(const Findings& others) {
  for (const Finding& finding : others) push_back(finding);
}

Findings::Group* Findings::groupOf(const Finding& finding) const {
  const auto isLike = [&](const Group& group) {
    const Finding& last = list_[group.last];
    return last.rule == finding.rule && last.severityCap == finding.severityCap &&
           last.repaired == finding.repaired;
  };
  const auto found = std::find_if(groups_.begin(), groups_.end(), isLike);
  return found == groups_.end() ? nullptr : &*found;
}

bool Findings::isFull(const Group& group) const {
  return group.size >= (list_.size() > kMost ? 1 : kMostPerGroup);
}

bool Findings::isFull(const Finding& finding) const {
  settled();
  const Group* group = groupOf(finding);
  return group != nullptr && !isUnbounded_ && isFull(*group);
}

void Findings::settle() const {
  isOpen_ = false;
  Finding& newest = list_.back();
  if (isUnbounded_) {
    if (only_ && newest.rule != *only_) list_.pop_back();
    return;
  }
  Group* group = groupOf(newest);
  if (group == nullptr) {
    groups_.push_back({1, list_.size() - 1});
  } else if (isFull(*group)) {
    list_[group->last].more += 1 + newest.more;
    list_.pop_back();
  } else {
    *group = {group->size + 1, list_.size() - 1};
  }
}

std::string counted(size_t count, std::string_view noun) {
  return std::to_string(count).append(" ").append(noun).append(count == 1 ? "" : "s");
}

void appendSnakeCase(std::string& out, std::string_view name) {
  for (const char c : name) {
    if (ascii::isUpper(c)) out.push_back('_');
    out.push_back(ascii::toLower(c));
  }
}

std::string toGoogleNotation(std::string_view pointer) {
  std::string place;
  for (size_t at = 1; at < pointer.size();) {
    const size_t end = std::min(pointer.find('/', at), pointer.size());
    const std::string_view name = pointer.substr(at, end - at);
    if (isDigits(name)) {
      place.append("[").append(name).append("]");
    } else {
      if (!place.empty()) place.push_back('.');
      appendSnakeCase(place, name);
    }
    at = end + 1;
  }
  return place;
}

Severity Target::severity(const Finding& finding) const {
  const RuleRow& found = row(finding.rule);
  if (finding.repaired) return Severity::kInfo;
  if (strict && found.strict) return Severity::kError;
  if (finding.rule == Rule::kSignatureMissing && !model->checksSignatures) {
    return std::min(found.severityFor(backend, model->generation), Severity::kInfo);
  }
  return std::min(found.severityFor(backend, model->generation), finding.severityCap);
}

bool isMisspelled(const Finding& finding) {
  return finding.rule == Rule::kFieldUnknown && !finding.arg2.empty();
}

std::string pathOf(const Finding& finding, int32_t contentOffset) {
  std::string path(finding.root);
  if (finding.content >= 0) {
    const int32_t index = finding.content + contentOffset;
    path += "/contents";
    if (!finding.singleContent) json::appendPointer(path, static_cast<size_t>(index));
  }
  if (finding.part >= 0) {
    path += "/parts";
    if (!finding.singlePart) json::appendPointer(path, static_cast<size_t>(finding.part));
  }
  return path + finding.path;
}

namespace {

// Writes the members of a Diagnostic.
void writeMembers(json::Writer& out, const Finding& finding, const Target& target,
                  int32_t contentOffset) {
  const RuleRow& row = target.row(finding.rule);
  const std::string_view upstream = row.upstreamFor(target.backend, target.model->generation);
  out.key("code").string(row.code);
  const Severity severity = target.severity(finding);
  out.key("severity").string(severityName(severity));
  out.key("path").string(pathOf(finding, contentOffset));
  out.key("message").string(fillPlaceholders(row.message, finding, contentOffset));
  // Google's text may name the place; without a place it would differ.
  const bool hasPlace = finding.content >= 0 || upstream.find("{content}") == upstream.npos;
  if (!upstream.empty() && hasPlace && finding.hasUpstream && !finding.aboutOptions)
    out.key("upstream").string(fillPlaceholders(upstream, finding, contentOffset));
  // Repair changes few things that are less than errors.
  const bool hasFix = (severity == Severity::kError || finding.fix != 0 || finding.repaired) &&
                      !finding.aboutOptions && !isMisspelled(finding);
  if (hasFix && !row.fix.empty()) out.key("fix").string(row.fix);
  if (finding.repaired) out.key("repaired").boolean(true);
  writePlace(out, finding);
}

void writeMore(json::Writer& out, uint32_t more) {
  if (more > 0) out.key("more").integer(more);
}

}  // namespace

void writeDiagnostic(json::Writer& out, const Finding& finding, const Target& target,
                     int32_t contentOffset) {
  const json::Writer::Scope object = out.object();
  writeMembers(out, finding, target, contentOffset);
  writeMore(out, finding.more);
}

void writeDiagnostics(json::Writer& out, const Findings& findings, const Target& target,
                      const std::vector<TextEdit>* edits) {
  const json::Writer::Scope list = out.array();
  std::vector<std::vector<const Finding*>> faults;
  for (const Finding& finding : findings) {
    if (target.severity(finding) == Severity::kOff) continue;
    const auto same = std::find_if(faults.begin(), faults.end(), [&](const auto& places) {
      return edits != nullptr && isSameFault(*places.front(), finding);
    });
    if (same == faults.end()) {
      faults.push_back({&finding});
    } else {
      same->push_back(&finding);
    }
  }
  for (const std::vector<const Finding*>& places : faults) {
    const json::Writer::Scope object = out.object();
    writeMembers(out, *places.front(), target, 0);
    uint32_t more = 0;
    for (const Finding* place : places) more += place->more;
    writeMore(out, more);
    if (edits == nullptr || places.front()->fix == 0) continue;
    writeEdits(out, *edits, places.front()->fix);
    writePlaces(out, std::span(places).subspan(1));
  }
}

Finding toFinding(const Error& error, const Catalogue& catalogue) {
  Finding finding{catalogue.ruleOf(error.code)};
  finding.path = error.path;
  if (error.code == "field.invalid" || error.code == "field.unknown") {
    finding.arg1 = fieldName(error.path);
    finding.arg2 = error.detail;
  } else if (error.code == "size.too_large") {
    finding.arg2 = std::to_string(json::kMaxBytes);
    finding.arg1 = "at least " + finding.arg2;
    // Google's limit is lower, and its text names that one.
    finding.hasUpstream = false;
  } else {
    finding.arg1 = error.detail + " at byte " + std::to_string(error.offset);
  }
  return finding;
}

Finding toFinding(const Error& error, const Catalogue& catalogue, std::string_view text) {
  Finding finding = toFinding(error, catalogue);
  if (error.code == "size.too_large") return finding;
  finding.begin = finding.end = error.offset;
  finding.arg1 = error.detail + " in " + json::TextPlaces(text).describe(error.offset) + " (byte " +
                 std::to_string(error.offset) + ")";
  return finding;
}

}  // namespace strata::catalogue
