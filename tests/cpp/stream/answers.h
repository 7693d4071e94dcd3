// Why this file exists: an answer must mean the same whatever way it is framed and cut.
#pragma once

#include <string>
#include <vector>

#include "stream/response.h"
#include "support/json_file.h"

namespace strata::test {

inline constexpr size_t kCuts[] = {1, 2, 3, 7, 64, 4096};

/// What became of an answer.
struct Read {
  std::string events;  ///< All of them, without brackets.
  std::string content;
  std::string summary;
  stream::Outcome outcome = stream::Outcome::kWhole;

  bool operator==(const Read& other) const {
    return events == other.events && content == other.content && summary == other.summary &&
           outcome == other.outcome;
  }
};

inline void addEvents(std::string& all, const std::string& array) {
  const std::string inside = array.substr(1, array.size() - 2);
  if (!all.empty() && !inside.empty()) all += ",";
  all += inside;
}

inline Read readIn(const std::string& bytes, size_t cut) {
  stream::Response response;
  Read read;
  for (size_t at = 0; at < bytes.size(); at += cut) {
    addEvents(read.events, response.push(std::string_view(bytes).substr(at, cut)));
  }
  addEvents(read.events, response.end());
  read.content = response.content();
  read.summary = response.summary();
  read.outcome = response.outcome();
  return read;
}

/// Reads `bytes` in every cut, expects the same of all, and gives it.
inline Read readInAllCuts(const std::string& bytes) {
  const Read whole = readIn(bytes, bytes.size() + 1);
  for (const size_t cut : kCuts) {
    const Read read = readIn(bytes, cut);
    EXPECT_EQ(read.events, whole.events) << "cut " << cut;
    EXPECT_EQ(read.content, whole.content) << "cut " << cut;
    EXPECT_TRUE(read == whole) << "cut " << cut << read.summary << whole.summary;
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

/// A chunk with these parts; `rest` stands beside content: `,"finishReason":"STOP"`.
inline std::string chunk(const std::string& parts, const std::string& rest = "") {
  return R"({"candidates":[{"content":{"role":"model","parts":[)" + parts + "]}" + rest + "}]}";
}

inline const std::string kStop = R"(,"finishReason":"STOP")";

/// The error or failure member of a summary.
inline std::string failure(const Read& read, std::string_view name) {
  const Json summary(read.summary);
  const json::Value value = summary.root().find("failure").find(name);
  return value.isString() ? value.text() : std::string(value.bytes());
}

}  // namespace strata::test
