#include "dialects/langchain_parts.h"

#include <algorithm>

namespace strata::dialects {
namespace {

std::string nameOf(const LangChainCall& call) { return std::string(call.name.bytes()); }

// Returns a text that only calls with the same name and arguments share: a name ends with a quote.
std::string textOf(const LangChainCall& call) { return nameOf(call) + call.args; }

void keepFirst(std::string& signature, const std::string& other) {
  if (signature.empty()) signature = other;
}

// Inserts a signature into a Part.
std::string signedPart(std::string json, const std::string& signature) {
  if (signature.empty()) return json;
  json::Writer quoted;
  quoted.string(signature);
  json.pop_back();
  return json + ",\"thoughtSignature\":" + quoted.text() + "}";
}

}  // namespace

void LangChainParts::clear() {
  parts_.clear();
  calls_.clear();
  for (TextIndex* index : {&ids_, &identified_, &waitingNames_, &waiting_}) index->clear();
}

void LangChainParts::addText(std::string_view quoted, bool thought, std::string signature) {
  Part& part = parts_.emplace_back();
  part.json = textPart(quoted, thought);
  part.signature = std::move(signature);
  part.isText = !thought;
  part.isEmpty = quoted == R"("")";
}

void LangChainParts::addPart(std::string json, std::string signature) {
  Part& part = parts_.emplace_back();
  part.json = std::move(json);
  part.signature = std::move(signature);
}

void LangChainParts::addCall(LangChainCall& call) {
  const int32_t same = call.id.empty() ? identified_.find(textOf(call)) : -1;
  if (same < 0) return addNew(std::move(call));
  keepFirst(calls_[static_cast<size_t>(same)].signature, call.signature);
}

void LangChainParts::addNew(LangChainCall call) {
  const auto index = static_cast<int32_t>(calls_.size());
  ids_.add(call.id, index);
  if (!call.id.empty()) identified_.add(textOf(call), index);
  waitingNames_.add(nameOf(call), index);
  waiting_.add(textOf(call), index);
  calls_.push_back(std::move(call));
}

int32_t LangChainParts::findCall(const LangChainCall& block) const {
  if (!block.id.empty()) return ids_.find(block.id);
  const int32_t same = waiting_.find(textOf(block));
  return same >= 0 ? same : waitingNames_.find(nameOf(block));
}

void LangChainParts::placeCall(LangChainCall& block) {
  const int32_t found = findCall(block);
  const size_t call = found < 0 ? calls_.size() : static_cast<size_t>(found);
  if (found < 0) {
    addNew(std::move(block));
  } else if (!block.signature.empty()) {
    // The block is the Part that the model made.
    calls_[call].signature = block.signature;
  }
  if (!calls_[call].isPlaced) place(call);
}

void LangChainParts::placeOtherCalls() {
  for (size_t i = 0; i < calls_.size(); ++i) {
    if (!calls_[i].isPlaced) place(i);
  }
}

void LangChainParts::place(size_t call) {
  const auto index = static_cast<int32_t>(call);
  calls_[call].isPlaced = true;
  waitingNames_.remove(nameOf(calls_[call]), index);
  waiting_.remove(textOf(calls_[call]), index);
  parts_.emplace_back().call = index;
}

bool LangChainParts::signCall(std::string_view id, const std::string& signature) {
  const int32_t call = ids_.find(std::string(id));
  return call < 0 ? signature.empty() : signCall(static_cast<size_t>(call), signature);
}

bool LangChainParts::signCall(size_t index, const std::string& signature) {
  if (index >= calls_.size()) return false;
  keepFirst(calls_[index].signature, signature);
  return true;
}

void LangChainParts::signText(const std::string& signature) {
  if (signature.empty() || hasSignature(signature)) return;
  for (size_t i = parts_.size(); i-- > 0;) {
    Part& part = parts_[i];
    if (!part.isText || !part.signature.empty()) continue;
    part.signature = signature;
    return;
  }
  addText(R"("")", false, signature);
}

bool LangChainParts::signAll(json::Value signatures) {
  const bool isComplete = signatures.size() == parts_.size();
  size_t given = 0;
  for (const json::Value each : json::elements(signatures)) given += !each.raw().empty();
  if (!isComplete && given > std::max<size_t>(calls_.size(), 1)) return false;
  size_t part = 0;
  size_t call = 0;
  for (const json::Value each : json::elements(signatures)) {
    const std::string signature = each.text();
    if (isComplete) {
      keepFirst(signatureOf(parts_[part++]), signature);
    } else if (!signature.empty() && !signCall(call++, signature)) {
      signText(signature);
    }
  }
  return true;
}

std::string& LangChainParts::signatureOf(Part& part) {
  return part.call < 0 ? part.signature : calls_[static_cast<size_t>(part.call)].signature;
}

bool LangChainParts::hasSignature(const std::string& signature) {
  return std::any_of(parts_.begin(), parts_.end(),
                     [this, &signature](Part& part) { return signatureOf(part) == signature; });
}

void LangChainParts::write(TurnWriter& turns) const {
  for (const Part& part : parts_) {
    if (part.call >= 0) {
      const LangChainCall& call = calls_[static_cast<size_t>(part.call)];
      turns.addCall(call.id, call.name, call.args, call.signature);
    } else if (!part.isEmpty || !part.signature.empty()) {
      turns.addPart(signedPart(part.json, part.signature));
    }
  }
}

}  // namespace strata::dialects
