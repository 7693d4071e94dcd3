// Helpers that read a response split at arbitrary byte positions and expect the same result for
// each.
#pragma once

#include <string>
#include <vector>

#include "stream/response_assembler.h"
#include "support/json_file.h"

namespace strata::test {

inline constexpr size_t kPieceSizes[] = {1, 2, 3, 7, 64, 4096};

/// The result of reading a response.
struct ReadResult {
  std::string events;  ///< All events but `usage`, without the brackets of the array.
  std::string usage;   ///< The last `usage` event: each push with new counts has one.
  std::string content;
  std::string summary;
  stream::Outcome outcome = stream::Outcome::kComplete;

  bool operator==(const ReadResult&) const = default;
};

/// Adds the events of one push, a JSON array.
template <typename Read>
void addEvents(Read& read, const std::string& array) {
  const Json events(array);
  EXPECT_TRUE(events.ok()) << array;
  for (const json::Value event : json::elements(events.root())) {
    if (event.find("type").equals("usage")) {
      read.usage = event.bytes();
      continue;
    }
    if (!read.events.empty()) read.events += ",";
    read.events += event.bytes();
  }
}

inline ReadResult readInPieces(const std::string& bytes, size_t pieceSize) {
  stream::ResponseAssembler response;
  ReadResult read;
  for (size_t at = 0; at < bytes.size(); at += pieceSize) {
    addEvents(read, response.push(std::string_view(bytes).substr(at, pieceSize)));
  }
  addEvents(read, response.end());
  read.content = response.content();
  read.summary = response.summary();
  read.outcome = response.outcome();
  return read;
}

/// Reads `bytes` in pieces of each size, expects the same result for all, and returns it.
inline ReadResult readAtAllPieceSizes(const std::string& bytes) {
  const ReadResult whole = readInPieces(bytes, bytes.size() + 1);
  for (const size_t pieceSize : kPieceSizes) {
    const ReadResult read = readInPieces(bytes, pieceSize);
    EXPECT_EQ(read.events, whole.events) << "piece size " << pieceSize;
    EXPECT_EQ(read.usage, whole.usage) << "piece size " << pieceSize;
    EXPECT_EQ(read.content, whole.content) << "piece size " << pieceSize;
    EXPECT_TRUE(read == whole) << "piece size " << pieceSize << read.summary << whole.summary;
  }
  return whole;
}

inline std::string framed(const std::vector<std::string>& chunks, const std::string& lineEnd) {
  std::string out;
  for (const std::string& chunk : chunks) out += "data: " + chunk + lineEnd + lineEnd;
  return out;
}

inline std::string asArray(const std::vector<std::string>& chunks) {
  std::string out;
  for (const std::string& chunk : chunks) out += (out.empty() ? "[" : ",\r\n") + chunk;
  return out + "\n]\n";
}

/// Returns a chunk with these parts. `rest` follows the content, such as `,"finishReason":"STOP"`.
inline std::string chunk(const std::string& parts, const std::string& rest = "") {
  return R"({"candidates":[{"content":{"role":"model","parts":[)" + parts + "]}" + rest + "}]}";
}

inline const std::string kStop = R"(,"finishReason":"STOP")";

/// Returns a member of the summary's `failure`.
inline std::string failure(const ReadResult& read, std::string_view name) {
  const Json summary(read.summary);
  const json::Value value = summary.root().find("failure").find(name);
  return value.isString() ? value.text() : std::string(value.bytes());
}

}  // namespace strata::test
