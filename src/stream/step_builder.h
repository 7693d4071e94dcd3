// Builds one step of an interaction from the events of its stream: the fields with which it starts,
// then deltas, then its end.
//
//     step.start   {"type":"model_output"}
//     step.delta   {"type":"text","text":"Hel"}  {"type":"text","text":"lo"}
//     step.stop    → {"type":"model_output","content":[{"type":"text","text":"Hello"}]}
//
// Source: "Streaming", https://ai.google.dev/gemini-api/docs/streaming. Deltas of an unknown type
// are merged field by field, and strings are appended.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "stream/field_list.h"

namespace strata::stream {

/// What a delta added, for the events of an answer. Views are valid as long as the delta.
struct DeltaText {
  json::Value text;  ///< A JSON string; absent if the delta added no text.
  bool thought = false;
};

class StepBuilder {
 public:
  /// Starts with the fields of `step`, an object.
  void start(json::Value step);
  /// Adds one delta.
  DeltaText add(json::Value delta);
  /// Ends the step. Returns false, and does not end it, if the arguments are not a JSON object.
  bool stop();
  /// Returns whether it is a call of which no arguments came, apart from `{}` at its start.
  bool lacksArguments() const;

  /// Returns the name of a call, for messages.
  std::string_view name() const { return fields_.get("name"); }
  bool isStopped() const { return isStopped_; }
  /// Returns whether the type is this one.
  bool is(std::string_view type) const;

  /// Returns the step as JSON. Of a step that was not stopped: "" if its arguments may be
  /// incomplete, and otherwise without the signature, which comes last and may be in pieces.
  std::string text() const;

 private:
  // A list of Content, of which the last one may grow.
  class ContentList {
   public:
    void addText(json::Value delta, std::string_view escaped);
    void addAnnotations(json::Value annotations);
    void addMedia(json::Value content);
    void addWhole(std::string_view json);
    void addAll(json::Value content);
    bool empty() const { return items_.empty(); }
    void write(json::Writer& out) const;

   private:
    struct Item {
      std::string type;
      FieldList fields;         // other than type and the ones below
      std::string text;         // escaped
      std::string data;         // base64 of media
      std::string annotations;  // the elements
      std::string whole;        // a Content that came whole
    };
    Item& last(std::string_view type);

    std::vector<Item> items_;
  };

  void merge(json::Value delta);
  ContentList* listOf(json::Value key);

  FieldList fields_;       // other than the ones below
  ContentList content_;    // of user_input and model_output
  ContentList summary_;    // of a thought
  std::string signature_;  // escaped
  std::string arguments_;  // JSON text, as far as it came
  bool hasArguments_ = false;
  bool isStopped_ = false;
};

}  // namespace strata::stream
