#include "interactions/to_steps.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "interactions/media.h"
#include "interactions/results.h"
#include "json/string.h"
#include "json/writer.h"

namespace strata::interactions {
namespace {

using gemini::PartKind;
using gemini::PartView;

// Fields of a Part that are converted with its data.
constexpr std::string_view kRead = " thought thoughtSignature mediaResolution videoMetadata ";

std::string textContent(json::Value text) {
  return R"({"type":"text","text":)" + std::string(text.bytes()) + "}";
}

constexpr std::string_view kCallPrefix = "call_";

// Returns the number in an id like those that are invented, or 0.
size_t numberIn(std::string_view id) {
  constexpr size_t kMostDigits = 9;
  if (id.substr(0, kCallPrefix.size()) != kCallPrefix) return 0;
  id.remove_prefix(kCallPrefix.size());
  size_t number = 0;
  for (const char digit : id) {
    if (digit < '0' || digit > '9' || id.size() > kMostDigits) return 0;
    number = 10 * number + static_cast<size_t>(digit - '0');
  }
  return number;
}

// Returns the text of a signature. Both APIs take the same.
std::string rawSignature(const PartView& part) {
  return part.isSigned() ? std::string(part.signature.raw()) : std::string();
}

}  // namespace

std::string ContentsToSteps::partPath(size_t part) const {
  std::string path = "/contents/" + std::to_string(index_);
  if (part != SIZE_MAX) path += "/parts/" + std::to_string(part);
  return path;
}

std::string ContentsToSteps::turnPath() const { return "/contents/" + std::to_string(turn_); }

std::string ContentsToSteps::convert(json::Value contents) {
  for (const json::Value content : gemini::repeated(contents)) add(content);
  return take();
}

void ContentsToSteps::resume(size_t contents, size_t calls) {
  index_ = contents;
  calls_ = calls;
}

std::string ContentsToSteps::take() {
  finishTurn();
  return std::exchange(steps_, {});
}

void ContentsToSteps::addSteps(json::Value content, std::string_view steps) {
  finishTurn();
  appendElement(steps_, steps.substr(1, steps.size() - 2));
  view_.read(content);
  open_.clear();
  for (const PartView& part : view_.partViews) {
    if (part.isCall()) open_.push_back({part.id.text(), part.name.text(), false});
  }
  wasModel_ = false;
  ++index_;
}

// Keeps invented ids apart from those of the turn. Ids of the API repeat in other turns, too, and
// those of later turns must not change what a turn becomes.
void ContentsToSteps::reserveIds() {
  for (const PartView& part : view_.partViews) {
    if (part.isCall() && part.id) calls_ = std::max(calls_, numberIn(part.id.text()));
  }
}

void ContentsToSteps::add(json::Value content) {
  view_.read(content);
  if (view_.isModel()) {
    addModel();
  } else {
    finishTurn();
    addUser();
  }
  losses_.lostMembers(partPath(SIZE_MAX), content, "role parts");
  if (view_.partViews.empty())
    losses_.changed(partPath(SIZE_MAX), "A Content without Parts", "nothing");
  wasModel_ = view_.isModel();
  ++index_;
}

void ContentsToSteps::addUser() {
  std::string results;
  std::string content;
  bool isBehind = false;
  bool wasEmpty = false;
  for (size_t i = 0; i < view_.partViews.size(); ++i) {
    const PartView& part = view_.partViews[i];
    const std::string path = partPath(i);
    reportFields(part, path);
    if (part.isSigned()) losses_.lost(path, "thoughtSignature of a user Part");
    if (part.isResponse()) {
      if (!content.empty()) isBehind = true;
      appendElement(results, resultOf(part, path));
    } else if (part.kind == PartKind::kText && part.data.isString()) {
      if (part.data.raw().empty()) {
        losses_.changed(path, "An empty text", "no text");
        wasEmpty = true;
      } else {
        appendElement(content, textContent(part.data));
      }
    } else if (gemini::isMediaKind(part.kind)) {
      appendElement(content, contentOfMedia(part, path, resolution_, losses_));
    } else {
      losses_.lost(path, part.dataKey ? part.dataKey.text() : "a Part without data");
    }
  }
  // The turn must stay, and one report says that a space passes.
  if (results.empty() && content.empty() && wasEmpty) content = R"({"type":"text","text":" "})";
  if (!results.empty() && !content.empty()) {
    losses_.changed(partPath(SIZE_MAX),
                    isBehind ? "What stands before results" : "What follows results",
                    "a user_input behind them");
  }
  if (!results.empty() || !content.empty()) open_.clear();
  if (!content.empty())
    appendElement(results, joined({R"({"type":"user_input","content":[)", content, "]}"}));
  appendElement(steps_, results);
}

// Reports the fields of a Part that no Content has.
void ContentsToSteps::reportFields(const PartView& part, const std::string& path) {
  for (const json::Member member : json::members(part.part)) {
    if (member.value.isNull() || member.key == part.dataKey) continue;
    const std::string_view name = gemini::partField(member.key);
    const std::string word = joined({" ", name, " "});
    const bool isRead = !name.empty() && kRead.find(word) != kRead.npos;
    const bool isMedia = gemini::isMediaKind(part.kind);
    const bool isOfMedia = name == "videoMetadata" || name == "mediaResolution";
    if (!isRead || (isOfMedia && !isMedia)) losses_.lost(path, member.key.text());
  }
  if (part.thought && !view_.isModel()) losses_.lost(path, "thought of a user Part");
}

std::string ContentsToSteps::resultOf(const PartView& part, const std::string& path) {
  const std::string name = part.name.text();
  std::string id = part.id.text();
  const auto isCall = [&](const Call& call) {
    return id.empty() ? call.name == name : call.id == id && !call.isInvented;
  };
  auto call = std::find_if(open_.begin(), open_.end(), isCall);
  if (call == open_.end() && !id.empty()) {
    // The call may lack the id that its result has.
    call = std::find_if(open_.begin(), open_.end(),
                        [&](const Call& each) { return each.isInvented && each.name == name; });
    if (call != open_.end())
      losses_.changed(path, "The id of a functionResponse", "that of its call, " + call->id);
  }
  if (call != open_.end()) {
    id = call->id;
    open_.erase(call);
  }
  const StepResult result =
      stepResultOf(part.payload, gemini::field(part.data, "parts"), path, losses_);
  losses_.lostMembers(path, part.data, "id name response parts");
  json::Writer out;
  out.open('{').key("type").string("function_result");
  if (!id.empty()) out.key("call_id").string(id);
  out.key("name").string(name).key("result").raw(result.result);
  if (result.isError) out.key("is_error").boolean(true);
  out.close('}');
  return out.take();
}

void ContentsToSteps::addModel() {
  if (wasModel_) {
    losses_.changed(partPath(SIZE_MAX), "A model Content behind another one", "the same turn");
  } else {
    open_.clear();
    turn_ = index_;
  }
  reserveIds();
  for (size_t i = 0; i < view_.partViews.size(); ++i) {
    const PartView& part = view_.partViews[i];
    if (!part.isResponse()) {
      readPart(part, partPath(i), items_);
      continue;
    }
    // Google ran the call itself (server-side MCP).
    finishTurn();
    losses_.changed(partPath(i), "A functionResponse of the model", "a function_result");
    if (part.isSigned()) losses_.lost(partPath(i), "thoughtSignature of a functionResponse");
    appendElement(steps_, resultOf(part, partPath(i)));
  }
}

// Writes the steps of the model's turn so far.
void ContentsToSteps::finishTurn() {
  std::list<Step> steps = layOut(items_);
  open(steps);
  appendElement(steps_, text(steps));
  items_.clear();
}

void ContentsToSteps::readPart(const PartView& part, const std::string& path,
                               std::vector<Item>& items) {
  reportFields(part, path);
  Item item{Kind::kNothing, "", rawSignature(part), path};
  const bool isText = part.kind == PartKind::kText && part.data.isString();
  if (part.isCall()) {
    items.push_back(callOf(part, path));
    return;
  }
  if (isText && !part.data.raw().empty()) {
    item.json = textContent(part.data);
  } else if (gemini::isMediaKind(part.kind)) {
    item.json = contentOfMedia(part, path, "", losses_);
  } else if (part.kind != PartKind::kNone && !isText) {
    losses_.lost(path, part.dataKey.text());
  }
  if (!item.json.empty()) item.kind = part.thought ? Kind::kSummary : Kind::kOutput;
  if (item.kind == Kind::kNothing && item.signature.empty()) {
    if (part.data.isString() || part.kind == PartKind::kNone)
      losses_.changed(path, "An empty Part", "nothing");
    return;
  }
  items.push_back(std::move(item));
}

ContentsToSteps::Item ContentsToSteps::callOf(const PartView& part, const std::string& path) {
  std::string id = part.id.text();
  const std::string name = part.name.text();
  const bool isInvented = id.empty();
  if (isInvented) {
    id = std::string(kCallPrefix) + std::to_string(++calls_);
    losses_.changed(path, "A functionCall without an id", "a function_call with the id " + id);
  }
  open_.push_back({id, name, isInvented});
  json::Writer out;
  out.open('{').key("type").string("function_call");
  out.key("id").string(id).key("name").string(name);
  out.key("arguments").raw(argumentsOf(part.payload, path, losses_));
  out.close('}');
  if (part.thought) losses_.lost(path, "thought of a functionCall");
  losses_.lostMembers(path, part.data, "id name args");
  return {Kind::kCall, out.take(), rawSignature(part), path};
}

// Puts a thought with the signature of an item before it.
void ContentsToSteps::sign(std::list<Step>& steps, const Item& item, bool isFirst) {
  const bool isFirstCall =
      item.kind == Kind::kCall &&
      std::none_of(steps.begin(), steps.end(), [](const Step& s) { return s.kind == Kind::kCall; });
  const bool isOpen = !steps.empty() && steps.back().kind == Kind::kSummary;
  if (isOpen && steps.back().signature.empty()) {
    steps.back().signature = item.signature;
  } else if (isFirst && isFirstCall && !steps.empty()) {
    // As the API writes it: the thought opens the turn.
    if (steps.front().kind != Kind::kSummary) steps.push_front({Kind::kSummary, "", ""});
    steps.front().signature = item.signature;
  } else {
    steps.push_back({Kind::kSummary, "", item.signature});
  }
}

std::list<ContentsToSteps::Step> ContentsToSteps::layOut(const std::vector<Item>& items) {
  std::list<Step> steps;
  bool isFirst = true;  // No signature so far.
  Kind lastSigned = Kind::kCall;
  bool hasCall = false;
  for (const Item& item : items) {
    const bool isSigned = !item.signature.empty();
    const bool wasThought = !steps.empty() && steps.back().kind == Kind::kSummary;
    if (item.kind == Kind::kSummary) {
      if (!wasThought || !steps.back().signature.empty()) steps.push_back({Kind::kSummary, "", ""});
      appendElement(steps.back().json, item.json);
      steps.back().signature = item.signature;
      if (isSigned) losses_.changed(item.path, "The signature of a thought", "that of its turn");
    } else if (isSigned) {
      sign(steps, item, isFirst);
    }
    if (item.kind == Kind::kNothing && &item != &items.back())
      losses_.changed(item.path, "The signature of an empty Part", "that of the next item");
    if (item.kind == Kind::kCall && !hasCall && !isSigned && lastSigned == Kind::kOutput)
      losses_.changed(item.path, "The signature of a text before calls", "that of the first call");
    hasCall = hasCall || item.kind == Kind::kCall;
    if (isSigned) lastSigned = item.kind;
    isFirst = isFirst && !isSigned;
    if (item.kind == Kind::kOutput && !steps.empty() && steps.back().kind == Kind::kOutput) {
      appendElement(steps.back().json, item.json);
    } else if (item.kind == Kind::kOutput || item.kind == Kind::kCall) {
      steps.push_back({item.kind, item.json, ""});
    }
  }
  return steps;
}

// Reports signatures that to_contents.h gives to another item than theirs.
void ContentsToSteps::reportRepeats(const std::list<Step>& steps) {
  const auto isSigned = [](const Step& step) { return !step.signature.empty(); };
  const auto isCall = [](const Step& step) { return step.kind == Kind::kCall; };
  const auto call = std::find_if(steps.begin(), steps.end(), isCall);
  const auto first = std::find_if(steps.begin(), steps.end(), isSigned);
  const auto repeats = [&](const Step& step) { return step.signature == steps.front().signature; };
  if (first == steps.end()) return;
  if (call != steps.end() && std::none_of(steps.begin(), call, isSigned)) {
    losses_.changed(turnPath(), "A signature behind the first functionCall",
                    "that of the first one, too");
  } else if (call == steps.end() && first == steps.begin() &&
             std::any_of(std::next(steps.begin()), steps.end(), repeats)) {
    losses_.changed(turnPath(), "A signature that repeats", "that of the last of its items");
  }
}

// Makes a turn open with a signed thought, as far as it has calls or thoughts.
void ContentsToSteps::open(std::list<Step>& steps) {
  const auto isThought = [](const Step& step) { return step.kind == Kind::kSummary; };
  const auto isSigned = [](const Step& step) { return !step.signature.empty(); };
  const auto isCall = [](const Step& step) { return step.kind == Kind::kCall; };
  if (steps.empty()) return;
  const bool hasCall = std::any_of(steps.begin(), steps.end(), isCall);
  const auto thought = std::find_if(steps.begin(), steps.end(), isThought);
  const auto first = std::find_if(steps.begin(), steps.end(), isSigned);
  std::string signature = first == steps.end() ? std::string() : first->signature;
  if (thought == steps.end() && !hasCall) return;
  if (signature.empty() && options_.placeholder) {
    signature = gemini::kPlaceholderSignature;
    losses_.changed(turnPath(),
                    hasCall ? "A turn with unsigned functionCalls" : "An unsigned thought",
                    "one that opens with the placeholder signature");
  } else if (signature.empty() && hasCall) {
    losses_.unsignedCalls(turnPath());
  } else if (signature.empty()) {
    // The API refuses a turn that opens with it.
    losses_.lost(turnPath(), "A thought without a signature");
    steps.remove_if(isThought);
    return;
  }
  reportRepeats(steps);
  if (thought == steps.begin()) {
    if (!isSigned(*thought)) thought->signature = signature;
  } else if (!signature.empty()) {
    steps.push_front({Kind::kSummary, "", signature});
  } else if (thought != steps.end()) {
    losses_.changed(turnPath(), "A thought behind other Parts", "the start of its turn");
    Step moved = std::move(*thought);
    steps.erase(thought);
    steps.push_front(std::move(moved));
  }
}

std::string ContentsToSteps::text(const std::list<Step>& steps) const {
  std::string out;
  for (const Step& step : steps) {
    if (step.kind == Kind::kCall) {
      appendElement(out, step.json);
    } else if (step.kind == Kind::kOutput) {
      appendElement(out, joined({R"({"type":"model_output","content":[)", step.json, "]}"}));
    } else {
      std::string thought = R"({"type":"thought")";
      if (!step.signature.empty()) thought += joined({R"(,"signature":")", step.signature, "\""});
      if (!step.json.empty()) thought += joined({R"(,"summary":[)", step.json, "]"});
      appendElement(out, thought + "}");
    }
  }
  return out;
}

Converted stepsOf(json::Value contents, const ConvertOptions& options, std::string resolution) {
  Converted converted;
  ContentsToSteps steps(options, converted.findings, std::move(resolution));
  converted.json = "[" + steps.convert(contents) + "]";
  return converted;
}

}  // namespace strata::interactions
