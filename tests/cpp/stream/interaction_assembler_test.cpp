#include "stream/interaction_assembler.h"

#include <gtest/gtest.h>

#include <random>

#include "stream/answers.h"
#include "support/json_file.h"
#include "support/mutate.h"
#include "support/shared_files.h"

namespace strata::stream {
namespace {

using test::Json;

struct Read {
  std::string events;  // all but `usage`
  std::string usage;   // the last
  std::string steps;
  std::string summary;
  Outcome outcome = Outcome::kComplete;

  bool operator==(const Read&) const = default;
};

// Reads `bytes` split at the positions.
Read readSplit(const std::string& bytes, const std::vector<size_t>& positions) {
  InteractionAssembler answer;
  Read read;
  size_t from = 0;
  for (size_t i = 0; i <= positions.size(); ++i) {
    const size_t to = i < positions.size() ? positions[i] : bytes.size();
    test::addEvents(read, answer.push(std::string_view(bytes).substr(from, to - from)));
    from = to;
  }
  test::addEvents(read, answer.end());
  read.steps = answer.steps();
  read.summary = answer.summary("");
  read.outcome = answer.outcome();
  return read;
}

Read readWhole(const std::string& bytes) { return readSplit(bytes, {}); }

std::string framed(const std::vector<std::string>& events, const std::string& lineEnd = "\n") {
  std::string out;
  for (const std::string& event : events) {
    const Json read(event);
    out += "event: " + read.root().find("event_type").text() + lineEnd;
    out += "data: " + event + lineEnd + lineEnd + ": heartbeat" + lineEnd;
  }
  return out + "event: done" + lineEnd + "data: [DONE]" + lineEnd + lineEnd;
}

std::string start(int index, const std::string& step) {
  return R"({"event_type":"step.start","index":)" + std::to_string(index) + R"(,"step":)" + step +
         "}";
}
std::string delta(int index, const std::string& fields) {
  return R"({"event_type":"step.delta","index":)" + std::to_string(index) + R"(,"delta":{)" +
         fields + "}}";
}
std::string stop(int index) {
  return R"({"event_type":"step.stop","index":)" + std::to_string(index) + "}";
}
std::string completed(const std::string& status = "completed") {
  return R"({"event_type":"interaction.completed","interaction":{"id":"","status":")" + status +
         R"(","usage":{"total_input_tokens":3,"total_tokens":5}}})";
}

// A stream of the steps between these events and the last one.
Read readEvents(std::vector<std::string> events, const std::string& status = "completed") {
  events.push_back(completed(status));
  return readWhole(framed(events));
}

struct Recorded {
  std::string name;
  std::string bytes;
  std::vector<std::string> signatures;  // of the deltas, as the bytes have them
};

void addSignature(const Json& event, Recorded& stream) {
  const json::Value signature = event.root().find("delta").find("signature");
  if (signature.isString()) stream.signatures.emplace_back(signature.bytes());
}

// The recorded streams, each in its own framing and, of the first ones, as events.
std::vector<Recorded> recordedStreams() {
  std::vector<Recorded> streams;
  for (const std::string name :
       {"basic", "google-search", "multi-turn-stateless-turn1", "multi-turn-stateless-turn2",
        "tool-call-step1", "tool-call-step2"}) {
    const auto file = test::readShared("interactions/" + name + ".chunks.txt");
    if (!file) return {};
    Recorded lines{name, *file, {}};
    for (const std::string& line : test::linesIn(*file)) addSignature(Json(line), lines);
    Recorded events{name + " as events", framed(test::linesIn(*file), "\r\n"), lines.signatures};
    streams.push_back(lines);
    streams.push_back(events);
  }
  for (const std::string& line :
       test::linesIn(test::readShared("interactions/exchanges.jsonl").value_or(""))) {
    const Json exchange(line);
    if (!exchange.root().find("stream").isTrue()) continue;
    Recorded stream{
        exchange.root().find("source").text(), exchange.root().find("response").text(), {}};
    for (const std::string& each : test::linesIn(stream.bytes)) {
      if (each.rfind("data: {", 0) == 0) addSignature(Json(each.substr(6)), stream);
    }
    streams.push_back(stream);
  }
  return streams;
}

std::vector<std::string> signaturesIn(const std::string& steps) {
  const Json read(steps);
  std::vector<std::string> found;
  for (const json::Value step : json::elements(read.root())) {
    if (const json::Value signature = step.find("signature")) found.emplace_back(signature.bytes());
  }
  return found;
}

#define REQUIRE_RECORDED(streams)                          \
  const std::vector<Recorded> streams = recordedStreams(); \
  if (streams.empty()) GTEST_SKIP() << test::missingFolder("interactions")

TEST(InteractionAssembler, ReadsRecordedStreamsSplitAtEachByte) {
  REQUIRE_RECORDED(streams);
  EXPECT_EQ(streams.size(), 16U);
  for (const Recorded& stream : streams) {
    const Read whole = readWhole(stream.bytes);
    EXPECT_EQ(whole.outcome, Outcome::kComplete) << stream.name << whole.summary;
    EXPECT_EQ(signaturesIn(whole.steps), stream.signatures) << stream.name;
    if (stream.bytes.size() > 6'000) continue;
    for (size_t at = 0; at <= stream.bytes.size(); ++at) {
      ASSERT_TRUE(readSplit(stream.bytes, {at}) == whole) << stream.name << " at " << at;
    }
  }
}

TEST(InteractionAssembler, ReadsRecordedStreamsSplitAt500RandomSetsOfPositions) {
  REQUIRE_RECORDED(streams);
  std::mt19937 random(35);
  std::vector<Read> whole;
  for (const Recorded& stream : streams) whole.push_back(readWhole(stream.bytes));
  for (int set = 0; set < 500; ++set) {
    const size_t which = set % streams.size();
    std::vector<size_t> positions(random() % 40);
    for (size_t& each : positions) each = random() % streams[which].bytes.size();
    std::sort(positions.begin(), positions.end());
    ASSERT_TRUE(readSplit(streams[which].bytes, positions) == whole[which]) << streams[which].name;
  }
}

// The types of the steps, each with the sorted names of its fields.
std::string shapeOf(json::Value steps) {
  std::string shape;
  for (const json::Value step : json::elements(steps)) {
    std::vector<std::string> names;
    for (const json::Member member : json::members(step)) names.push_back(member.key.text());
    std::sort(names.begin(), names.end());
    shape += step.find("type").text() + ":";
    for (const std::string& name : names) shape += " " + name;
    for (const json::Value content : json::elements(step.find("content"))) {
      shape += " (";
      std::vector<std::string> fields;
      for (const json::Member member : json::members(content)) fields.push_back(member.key.text());
      std::sort(fields.begin(), fields.end());
      for (const std::string& field : fields) shape += field + " ";
      shape += ")";
    }
    shape += "; ";
  }
  return shape;
}

TEST(InteractionAssembler, GivesUnaryAndStreamedAnswersTheSameShape) {
  for (const std::string name :
       {"basic", "multi-turn-stateless-turn1", "multi-turn-stateless-turn2", "tool-call-step1",
        "tool-call-step2"}) {
    const auto unary = test::readShared("interactions/" + name + ".json");
    const auto stream = test::readShared("interactions/" + name + ".chunks.txt");
    if (!unary || !stream) GTEST_SKIP() << test::missingFolder("interactions");
    const Read one = readWhole(*unary);
    const Read other = readWhole(*stream);
    EXPECT_EQ(one.outcome, Outcome::kComplete);
    EXPECT_EQ(shapeOf(Json(one.steps).root()), shapeOf(Json(other.steps).root())) << name;
    const Json first(one.summary);
    const Json second(other.summary);
    const json::Value response = first.root().find("response");
    EXPECT_EQ(response.find("status").text(), second.root().find("response").find("status").text())
        << name;
    EXPECT_TRUE(response.find("modelVersion").isString()) << name;
    EXPECT_FALSE(response.find("steps")) << name;
    EXPECT_TRUE(first.root().find("finishReason").equals("STOP")) << name;
    EXPECT_EQ(first.root().find("usage").bytes(), response.find("usageMetadata").bytes()) << name;
    EXPECT_GT(first.root().find("usage").find("promptTokenCount").integer(0), 0) << name;
  }
}

// The stream of a search has its steps behind the text, and their calls lack `search_type`.
TEST(InteractionAssembler, ReadsTheStepsOfASearch) {
  const auto unary = test::readShared("interactions/google-search.json");
  const auto stream = test::readShared("interactions/google-search.chunks.txt");
  if (!unary || !stream) GTEST_SKIP() << test::missingFolder("interactions");
  const Json one(readWhole(*unary).steps);
  const Json other(readWhole(*stream).steps);
  ASSERT_EQ(one.root().size(), other.root().size());
  for (size_t i = 0; i < one.root().size(); ++i) {
    EXPECT_TRUE(one.root().at(i).find("type").equals(other.root().at(i).find("type").text()));
  }
  const json::Value text = other.root().at(1).find("content").at(0);
  EXPECT_GT(text.find("annotations").size(), 3U);
  EXPECT_GT(other.root().at(2).find("arguments").find("queries").size(), 2U);
  EXPECT_GT(other.root().at(3).find("result").size(), 0U);
}

TEST(InteractionAssembler, KeepsTheBytesOfUnarySteps) {
  const auto file = test::readShared("interactions/tool-call-step1.json");
  if (!file) GTEST_SKIP() << test::missingFolder("interactions");
  const Json answer(*file);
  std::string expected;
  for (const json::Value step : json::elements(answer.root().find("steps"))) {
    expected += (expected.empty() ? "" : ",") + std::string(step.bytes());
  }
  EXPECT_EQ(readWhole(*file).steps, "[" + expected + "]");
  EXPECT_NE(readWhole(*file).events.find(R"({"type":"functionCall","name":"getWeather")"),
            std::string::npos);
}

TEST(InteractionAssembler, JoinsSignaturesArgumentsAndTextsInPieces) {
  const Read read = readEvents(
      {start(0, R"({"type":"thought"})"),
       delta(0, R"("type":"thought_summary","content":{"type":"text","text":"Let "})"),
       delta(0, R"("type":"thought_summary","content":{"type":"text","text":"me see"})"),
       delta(0, R"("type":"thought_signature","signature":"AAA\/")"),
       delta(0, R"("type":"thought_signature","signature":"BBB=")"), stop(0),
       start(1, R"({"type":"model_output"})"), delta(1, R"("type":"text","text":"a\ud83d")"),
       delta(1, R"("type":"text","text":"\ude00b")"), stop(1),
       start(2, R"({"type":"function_call","id":"c","name":"f","arguments":{},"signature":""})"),
       delta(2, R"("type":"arguments_delta","arguments":"{\"x\":\"\\")"),
       delta(2, R"("type":"arguments_delta","arguments":"n\"}")"), stop(2)},
      "requires_action");
  EXPECT_EQ(read.steps,
            R"([{"type":"thought","signature":"AAA\/BBB=",)"
            R"("summary":[{"type":"text","text":"Let me see"}]},)"
            R"({"type":"model_output","content":[{"type":"text","text":"a\ud83d\ude00b"}]},)"
            R"({"type":"function_call","id":"c","name":"f","arguments":{"x":"\n"}}])");
  EXPECT_EQ(read.outcome, Outcome::kComplete);
  EXPECT_EQ(read.events, R"({"type":"thought","text":"Let "},{"type":"thought","text":"me see"},)"
                         R"({"type":"text","text":"a\ud83d"},{"type":"text","text":"\ude00b"},)"
                         R"({"type":"functionCall","name":"f","id":"c","args":{"x":"\n"}},)"
                         R"({"type":"metadata","metadata":{"id":"","status":"requires_action"}})");
  EXPECT_EQ(read.usage, R"({"type":"usage","usage":{"promptTokenCount":3,"totalTokenCount":5}})");
}

TEST(InteractionAssembler, KeepsThePlaceholderThatTheApiSends) {
  const std::string constant = "CiRlMjQ4MzBhNy01Y2Q2LTQyZmUtOTk4Yi1lZTUzOWU3MmI5YzM=";
  const Read read = readEvents(
      {start(0, R"({"type":"thought"})"),
       delta(0, R"("type":"thought_signature","signature":")" + constant + "\""), stop(0)});
  EXPECT_EQ(signaturesIn(read.steps), std::vector<std::string>{"\"" + constant + "\""});
  // Deep Research sends empty ones.
  const Read empty =
      readEvents({start(0, R"({"type":"thought"})"),
                  delta(0, R"("type":"thought_signature","signature":"")"), stop(0)});
  EXPECT_EQ(empty.steps, R"([{"type":"thought"}])");
}

TEST(InteractionAssembler, AddsAnnotationsImagesAndAudio) {
  const Read read = readEvents(
      {start(0, R"({"type":"model_output"})"), delta(0, R"("type":"text","text":"a")"),
       delta(0, R"("type":"text_annotation_delta","annotations":[{"type":"url_citation"}])"),
       delta(0, R"("type":"text_annotation_delta","annotations":[{"start_index":1}])"),
       delta(0, R"("type":"image","mime_type":"image/jpeg","data":"AAAA")"),
       delta(0, R"("type":"image","mime_type":"image/jpeg","data":"BBBB")"),
       delta(0, R"("type":"audio","mime_type":"audio/l16","channels":1,"data":"CCCC")"),
       delta(0, R"("type":"audio","mime_type":"audio/l16","channels":1,"data":"DDD=")"),
       delta(0, R"("type":"audio","mime_type":"audio/l16","channels":1,"data":"EEEE")"),
       delta(0, R"("type":"text","text":"b")"), stop(0)});
  EXPECT_EQ(read.steps,
            R"([{"type":"model_output","content":[{"type":"text","text":"a",)"
            R"("annotations":[{"type":"url_citation"},{"start_index":1}]},)"
            R"({"type":"image","mime_type":"image/jpeg","data":"AAAA"},)"
            R"({"type":"image","mime_type":"image/jpeg","data":"BBBB"},)"
            R"({"type":"audio","mime_type":"audio/l16","channels":1,"data":"CCCCDDD="},)"
            R"({"type":"audio","mime_type":"audio/l16","channels":1,"data":"EEEE"},)"
            R"({"type":"text","text":"b"}]}])");
}

TEST(InteractionAssembler, MergesUnknownDeltasFieldByField) {
  const Read read = readEvents(
      {start(0, R"({"type":"new_call","id":"n"})"),
       delta(0, R"("type":"new_delta","note":"one, ","count":1)"),
       delta(0, R"("type":"new_delta","note":"two","count":2,"signature":"c2ln")"), stop(0)});
  EXPECT_EQ(read.steps, R"([{"type":"new_call","id":"n","note":"one, two","count":2,)"
                        R"("signature":"c2ln"}])");
  EXPECT_NE(read.events.find(R"({"type":"step","step":{"type":"new_call")"), std::string::npos);
}

TEST(InteractionAssembler, EndsWithTheStatus) {
  const std::vector<std::string> text = {start(0, R"({"type":"model_output"})"),
                                         delta(0, R"("type":"text","text":"a")"), stop(0)};
  EXPECT_EQ(readEvents(text, "incomplete").outcome, Outcome::kComplete);
  EXPECT_EQ(readEvents(text, "in_progress").outcome, Outcome::kTruncated);
  const Read failed = readWhole(framed({R"({"event_type":"interaction.completed","interaction":)"
                                        R"({"status":"failed","errors":[{"code":"api_error",)"
                                        R"("message":"No luck."}]}})"}));
  EXPECT_EQ(failed.outcome, Outcome::kApiError);
  EXPECT_NE(failed.summary.find(R"("status":"api_error","message":"No luck.","kind":"api")"),
            std::string::npos)
      << failed.summary;
}

TEST(InteractionAssembler, FailsWhenItIsCancelledOrHasNoBudget) {
  const std::vector<std::pair<std::string, std::string>> codes = {{"cancelled", "499"},
                                                                  {"budget_exceeded", "0"}};
  for (const auto& [status, code] : codes) {
    const Read failed = readEvents({start(0, R"({"type":"model_output"})"), stop(0)}, status);
    EXPECT_EQ(failed.outcome, Outcome::kApiError) << status;
    EXPECT_NE(
        failed.summary.find(R"("failure":{"code":)" + code + R"(,"status":")" + status + R"(")"),
        std::string::npos)
        << failed.summary;
  }
}

TEST(InteractionAssembler, KnowsTheStatusesOfTheWordsOfErrors) {
  const std::vector<std::pair<std::string, std::string>> codes = {
      {"parameter_unknown", "400"}, {"model_not_found", "404"}, {"already_exists", "409"},
      {"aborted", "409"},           {"out_of_range", "416"},    {"unimplemented", "501"},
      {"not_implemented", "501"},   {"new_word", "0"}};
  for (const auto& [word, code] : codes) {
    const Read failed = readWhole(
        framed({R"({"event_type":"error","error":{"code":")" + word + R"(","message":"No."}})"}));
    EXPECT_NE(failed.summary.find(R"("failure":{"code":)" + code + R"(,"status":")" + word),
              std::string::npos)
        << failed.summary;
  }
}

// A call whose end was lost must not vanish from a complete answer.
TEST(InteractionAssembler, IsTruncatedIfAStepDidNotEnd) {
  const std::string thought = start(0, R"({"type":"thought","signature":"c2ln"})");
  const std::string call = start(1, R"({"type":"function_call","id":"a","name":"f"})");
  const std::string arguments = delta(1, R"("type":"arguments_delta","arguments":"{}")");
  EXPECT_EQ(readEvents({thought, stop(0), call, arguments}, "requires_action").outcome,
            Outcome::kTruncated);
  EXPECT_EQ(readEvents({thought}).outcome, Outcome::kTruncated);
  EXPECT_EQ(readEvents({thought, stop(0), call, arguments, stop(1)}, "requires_action").outcome,
            Outcome::kComplete);
  // The budget may end within a step.
  EXPECT_EQ(
      readEvents({thought, stop(0), start(1, R"({"type":"model_output"})")}, "incomplete").outcome,
      Outcome::kComplete);
}

TEST(InteractionAssembler, IsResumedBehindAnErrorOfTheConnection) {
  InteractionAssembler answer;
  answer.push(framed({start(0, R"({"type":"model_output"})"),
                      R"({"event_type":"error","error":{"code":"gateway_timeout"}})"}));
  answer.end();
  EXPECT_EQ(answer.outcome(), Outcome::kApiError);
  answer.push(framed({delta(0, R"("type":"text","text":"hi")"), stop(0), completed()}));
  answer.end();
  EXPECT_EQ(answer.outcome(), Outcome::kComplete);
  EXPECT_EQ(answer.steps(), R"([{"type":"model_output","content":[{"type":"text","text":"hi"}]}])");
}

TEST(InteractionAssembler, SaysFromWhichEventItCanBeResumed) {
  const Read read = readWhole(framed(
      {R"({"event_type":"interaction.created","event_id":"e1","interaction":{"id":"v1_a"}})"}));
  EXPECT_EQ(read.outcome, Outcome::kTruncated);
  EXPECT_NE(read.summary.find(R"("lastEventId":"e1","failure":)"), std::string::npos);
  EXPECT_NE(read.summary.find(R"("responseId":"v1_a")"), std::string::npos) << read.summary;
}

TEST(InteractionAssembler, FailsByAStatusUpdateAlone) {
  const Read failed =
      readWhole(framed({R"({"event_type":"interaction.status_update","interaction_id":"v1_a",)"
                        R"("status":"failed"})"}));
  EXPECT_EQ(failed.outcome, Outcome::kApiError);
  EXPECT_NE(
      failed.summary.find(R"("message":"The interaction has the status failed.","kind":"api")"),
      std::string::npos)
      << failed.summary;
  EXPECT_NE(failed.events.find(R"("type":"error")"), std::string::npos) << failed.events;
}

TEST(InteractionAssembler, ReportsAnErrorWithinAnOpenStream) {
  const std::vector<std::string> events = {
      start(0, R"({"type":"model_output"})"), delta(0, R"("type":"text","text":"a")"),
      R"({"event_type":"error","error":{"code":"gateway_timeout","message":"Deadline expired."}})",
      delta(0, R"("type":"text","text":"b")")};
  const Read read = readWhole(framed(events));
  EXPECT_EQ(read.outcome, Outcome::kApiError);
  EXPECT_NE(read.events.find(R"({"type":"error","error":{"code":504,"status":"gateway_timeout",)"
                             R"("message":"Deadline expired."}})"),
            std::string::npos)
      << read.events;
  EXPECT_EQ(read.steps, R"([{"type":"model_output","content":[{"type":"text","text":"a"}]}])");
  const Read blocked = readWhole(R"({"error":{"code":"content_blocked","message":"Blocked."}})");
  EXPECT_EQ(blocked.outcome, Outcome::kBlocked);
  // A bad key was answered with a list, on 29 September 2026.
  EXPECT_EQ(readWhole(R"([{"error":{"code":400,"message":"API key not valid."}}])").outcome,
            Outcome::kApiError);
}

TEST(InteractionAssembler, LeavesOutWhatIsIncompleteWhenAStreamEndsEarly) {
  const std::vector<std::string> events = {
      start(0, R"({"type":"thought"})"), delta(0, R"("type":"thought_signature","signature":"AA")"),
      stop(0), start(1, R"({"type":"function_call","id":"c","name":"f","arguments":{}})"),
      delta(1, R"("type":"arguments_delta","arguments":"{\"x\"")")};
  const Read read = readWhole(framed(events));
  EXPECT_EQ(read.outcome, Outcome::kTruncated);
  EXPECT_EQ(read.steps, R"([{"type":"thought","signature":"AA"}])");
  const Read thought = readWhole(framed({events[0], events[1]}));
  EXPECT_EQ(thought.steps, R"([{"type":"thought"}])");
}

TEST(InteractionAssembler, RefusesArgumentsThatAreNoObject) {
  const Read read =
      readEvents({start(0, R"({"type":"function_call","name":"f","arguments":{}})"),
                  delta(0, R"("type":"arguments_delta","arguments":"{\"x\"")"), stop(0)});
  EXPECT_EQ(read.outcome, Outcome::kInvalid);
  EXPECT_NE(read.summary.find("an object as the arguments of the call f"), std::string::npos)
      << read.summary;
  EXPECT_EQ(readEvents({delta(3, R"("type":"text","text":"a")")}).outcome, Outcome::kInvalid);
}

// The last call of an answer whose budget is spent may lack arguments that the model did not get
// to.
TEST(InteractionAssembler, LeavesOutACallThatTheTokenLimitCut) {
  const std::string thought = start(0, R"({"type":"thought","signature":"c2ln"})");
  const std::string call = start(1, R"({"type":"function_call","name":"f","arguments":{}})");
  const std::string piece = delta(1, R"("type":"arguments_delta","arguments":"{\"x\"")");
  const std::string whole = delta(1, R"("type":"arguments_delta","arguments":"{}")");
  const std::vector<std::vector<std::string>> cut = {{thought, stop(0), call, piece, stop(1)},
                                                     {thought, stop(0), call, stop(1)},
                                                     {thought, stop(0), call, piece}};
  for (const std::vector<std::string>& events : cut) {
    const Read read = readEvents(events, "incomplete");
    EXPECT_EQ(read.outcome, Outcome::kComplete) << read.summary;
    EXPECT_EQ(read.steps, R"([{"type":"thought","signature":"c2ln"}])");
    EXPECT_EQ(read.events.find("functionCall"), std::string::npos) << read.events;
  }
  const std::string next = start(2, R"({"type":"function_call","name":"g","arguments":{}})");
  EXPECT_EQ(readEvents({call, piece, stop(1), next, stop(2)}, "incomplete").outcome,
            Outcome::kInvalid);
  const Read last = readEvents({call, stop(1), next, stop(2)}, "incomplete");
  EXPECT_EQ(last.steps, R"([{"type":"function_call","name":"f","arguments":{}}])");
  for (const std::string& end : {stop(1), whole + "\n\ndata: " + stop(1)}) {
    const std::string status = end == stop(1) ? "requires_action" : "incomplete";
    const Read read = readEvents({call, end}, status);
    EXPECT_EQ(read.steps, R"([{"type":"function_call","name":"f","arguments":{}}])");
    EXPECT_NE(read.events.find(R"({"type":"functionCall","name":"f","args":{}})"),
              std::string::npos)
        << read.events;
  }
}

TEST(InteractionAssembler, EmitsTheTextWithWhichAStepStarts) {
  const Read read = readEvents(
      {start(0, R"({"type":"thought","summary":[{"type":"text","text":"hm"}]})"), stop(0),
       start(1, R"({"type":"model_output","content":[{"type":"text","text":"a"}]})"),
       delta(1, R"("type":"text","text":"b")"), stop(1),
       start(2, R"({"type":"model_output","content":"c"})"), stop(2)});
  EXPECT_EQ(read.events.rfind(R"({"type":"thought","text":"hm"},{"type":"text","text":"a"},)"
                              R"({"type":"text","text":"b"},{"type":"text","text":"c"},)",
                              0),
            0U)
      << read.events;
}

TEST(InteractionAssembler, KeepsStepsWhoseIndexIsLowerOrMissing) {
  const std::vector<std::string> lower = {start(1, R"({"type":"thought","signature":"AA"})"),
                                          stop(1), start(0, R"({"type":"model_output"})"),
                                          delta(0, R"("type":"text","text":"a")"), stop(0)};
  std::vector<std::string> missing = lower;
  for (std::string& event : missing) event.erase(event.find(",\"index\":"), 10);
  for (const auto& events : {lower, missing}) {
    EXPECT_EQ(readEvents(events).steps,
              R"([{"type":"thought","signature":"AA"},)"
              R"({"type":"model_output","content":[{"type":"text","text":"a"}]}])");
  }
}

TEST(InteractionAssembler, CountsTheTierThatServedTheAnswer) {
  const std::string usage = R"("usage":{"total_input_tokens":3})";
  const std::string tier = R"("service_tier":"flex")";
  const std::string counted =
      R"({"type":"usage","usage":{"promptTokenCount":3,"serviceTier":"flex"}})";
  for (const std::string& fields : {usage + "," + tier, tier + "," + usage}) {
    const Read read = readWhole(R"({"status":"completed",)" + fields + R"(,"steps":[]})");
    EXPECT_EQ(read.usage, counted);
    EXPECT_NE(read.summary.find(R"("usage":{"promptTokenCount":3,"serviceTier":"flex"})"),
              std::string::npos);
  }
  const Read read = readWhole(
      framed({start(0, R"({"type":"thought"})"),
              R"({"event_type":"step.delta","index":0,"delta":{},"metadata":{"total_usage":)"
              R"({"total_input_tokens":3}}})",
              stop(0),
              R"({"event_type":"interaction.completed","interaction":{"status":"completed",)" +
                  tier + "," + usage + "}}"}));
  EXPECT_EQ(read.usage, counted);
}

TEST(InteractionAssembler, ResumesAfterTheLastEvent) {
  const auto withId = [](std::string event, const std::string& id) {
    return event.insert(1, R"("event_id":")" + id + "\",");
  };
  const std::vector<std::string> first = {withId(start(0, R"({"type":"model_output"})"), "e1"),
                                          withId(delta(0, R"("type":"text","text":"one ")"), "e2")};
  const std::vector<std::string> second = {withId(delta(0, R"("type":"text","text":"two")"), "e3"),
                                           withId(stop(0), "e4"), completed()};
  InteractionAssembler answer;
  answer.push("data: " + first[0] + "\n\ndata: " + first[1] + "\n\ndata: {\"event_ty");
  answer.end();
  EXPECT_EQ(answer.lastEventId(), "e2");
  EXPECT_EQ(answer.outcome(), Outcome::kTruncated);
  answer.push(framed(second));
  answer.end();
  EXPECT_EQ(answer.outcome(), Outcome::kComplete);
  EXPECT_EQ(answer.steps(),
            R"([{"type":"model_output","content":[{"type":"text","text":"one two"}]}])");
}

TEST(InteractionAssembler, StartsStepsAnewWhenAStreamIsReplayed) {
  const std::vector<std::string> events = {start(0, R"({"type":"model_output"})"),
                                           delta(0, R"("type":"text","text":"a")"), stop(0)};
  InteractionAssembler answer;
  answer.push(framed(events));
  answer.end();
  answer.push(framed(events));
  answer.end();
  EXPECT_EQ(answer.steps(), readEvents(events).steps);
}

// For any bytes, the result does not depend on the piece size, and all output is valid JSON.
TEST(InteractionAssembler, ReadsMutatedStreamsTheSameSplitAnywhere) {
  const std::string stream =
      framed({start(0, R"({"type":"thought","content":"a"})"),
              delta(0, R"("type":"thought_summary","content":{"type":"text","text":"h\u00e9"})"),
              delta(0, R"("type":"thought_signature","signature":"AA==")"), stop(0),
              start(1, R"({"type":"function_call","id":"c","name":"f","arguments":{}})"),
              delta(1, R"("type":"arguments_delta","arguments":"{\"a\":1}")"), stop(1),
              start(2, R"({"type":"new_call","summary":{}})"),
              delta(2, R"("type":"new","summary":"b","note":"c")"), stop(2), completed()});
  std::mt19937 random(7);
  for (int i = 0; i < 1'000; ++i) {
    const std::string bytes = test::mutated(stream, random);
    const Read whole = readWhole(bytes);
    std::vector<size_t> each(bytes.size());
    for (size_t at = 0; at < each.size(); ++at) each[at] = at;
    ASSERT_TRUE(readSplit(bytes, each) == whole) << bytes;
    ASSERT_TRUE(Json(whole.steps).ok()) << whole.steps << bytes;
    ASSERT_TRUE(Json(whole.summary).ok()) << whole.summary << bytes;
    ASSERT_TRUE(Json("[" + whole.events + "]").ok()) << whole.events << bytes;
  }
}

TEST(InteractionAssembler, LeavesOutFieldsNamedAsThoseOfGenerateContent) {
  const Read read = readWhole(R"({"id":"v1_a","status":"completed","model":"m","new":1,)"
                              R"("candidates":1,"modelVersion":2,"responseId":3,"steps":[]})");
  const Json summary(read.summary);
  ASSERT_TRUE(summary.ok()) << read.summary;
  const json::Value response = summary.root().find("response");
  EXPECT_TRUE(response.find("modelVersion").equals("m"));
  EXPECT_TRUE(response.find("responseId").equals("v1_a"));
  EXPECT_EQ(response.find("new").bytes(), "1");
}

TEST(InteractionAssembler, ReadsAStoredInteractionWithItsInput) {
  const Read read =
      readWhole(R"({"id":"v1_a","status":"completed","steps":[{"type":"user_input","content":[)"
                R"({"type":"text","text":"hi"}]},{"type":"thought","signature":"AA"},)"
                R"({"type":"model_output","content":[{"type":"text","text":"ok"}]}]})");
  EXPECT_EQ(Json(read.steps).root().size(), 3U);
  EXPECT_EQ(read.events.find("\"text\":\"hi\""), std::string::npos);
  EXPECT_EQ(read.outcome, Outcome::kComplete);
  // A request in the background is answered at once.
  EXPECT_EQ(readWhole(R"({"id":"v1_a","status":"queued"})").outcome, Outcome::kComplete);
}

}  // namespace
}  // namespace strata::stream
