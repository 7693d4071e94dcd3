#include "dialects/langchain_parts.h"

#include <algorithm>

namespace strata::dialects {
namespace {

bool isSameCall(const LangChainCall& call, const LangChainCall& other) {
  return call.name.bytes() == other.name.bytes() && call.args == other.args;
}

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
  for (LangChainCall& other : calls_) {
    if (!call.id.empty() || other.id.empty() || !isSameCall(call, other)) continue;
    return keepFirst(other.signature, call.signature);
  }
  calls_.push_back(std::move(call));
}

void LangChainParts::placeCall(LangChainCall& block) {
  size_t sameId = calls_.size();
  size_t sameName = calls_.size();
  size_t same = calls_.size();
  for (size_t i = calls_.size(); i-- > 0;) {
    const LangChainCall& call = calls_[i];
    if (!block.id.empty() && call.id == block.id) sameId = i;
    if (call.isPlaced || call.name.bytes() != block.name.bytes()) continue;
    sameName = i;
    if (call.args == block.args) same = i;
  }
  size_t found = sameId;
  if (block.id.empty()) found = same < calls_.size() ? same : sameName;
  if (found == calls_.size()) {
    calls_.push_back(std::move(block));
  } else {
    // The block is the Part that the model made.
    if (!block.signature.empty()) calls_[found].signature = block.signature;
  }
  if (!calls_[found].isPlaced) place(found);
}

void LangChainParts::placeOtherCalls() {
  for (size_t i = 0; i < calls_.size(); ++i) {
    if (!calls_[i].isPlaced) place(i);
  }
}

void LangChainParts::place(size_t call) {
  calls_[call].isPlaced = true;
  parts_.emplace_back().call = static_cast<int32_t>(call);
}

bool LangChainParts::signCall(std::string_view id, const std::string& signature) {
  for (LangChainCall& call : calls_) {
    if (call.id != id) continue;
    keepFirst(call.signature, signature);
    return true;
  }
  return signature.empty();
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
