// Writes the body of a request once, from front to back, and records each piece for the manifest.
//
//     {"systemInstruction":{…},"tools":…,"toolConfig":…,"generationConfig":…,"safetySettings":…,
//      "serviceTier":…,"store":…,"labels":…,…,"cachedContent":…,"contents":[ … ]}
//
// and one of the Interactions API:
//
//     {"model":…,"store":…,"stream":…,"previous_interaction_id":…,"system_instruction":…,"tools":…,
//      "generation_config":…,"response_format":…,…,"input":[ … ]}
#pragma once

#include <string_view>
#include <vector>

#include "base/segments.h"
#include "layers/manifest.h"
#include "thread/thread.h"

namespace strata::layers {

/// Appends one body to `body` and one Piece per part of it to `pieces`. Byte arguments are borrowed
/// and must outlive `body`, except the name of the cachedContent and a copied trigger.
class BodyWriter {
 public:
  /// The number of bytes that follow the text of a text's piece, unless it is a system_instruction.
  static constexpr size_t kTextEnd = 3;

  BodyWriter(Segments& body, std::vector<Piece>& pieces, bool isInteraction)
      : body_(body), pieces_(pieces), isInteraction_(isInteraction) {}

  // Top-level fields. Call these before any of the methods that write Contents.

  void systemInstruction(std::string_view quotedText, const Digest& digest);
  void field(std::string_view name, std::string_view json, const Digest& digest);
  /// Appends a field whose bytes are copied.
  void copiedField(std::string_view name, std::string_view json);
  /// Appends fields that the caller wrote, as one piece: `"a":1,"b":2`.
  void members(std::string_view name, std::string_view json);
  void cachedContent(std::string_view name);

  // Contents or steps, in the order of the calls.

  /// Appends a user Content, or a user_input, with one text, given as a JSON string.
  void text(std::string_view name, std::string_view quotedText, const Digest& digest);
  /// Appends the thread's turns `from` to `to` (exclusive), whose Contents or steps are `bytes`.
  void history(const thread::Thread& thread, size_t from, size_t to, std::string_view bytes);
  /// Appends the trigger, a Content or steps. Set `copy` if its bytes do not outlive `body`.
  void trigger(std::string_view bytes, bool copy, const Digest& digest);
  /// Closes the contents and the body.
  void close();

 private:
  size_t openField(std::string_view name);
  // Begins what stands in the list, if it has any bytes. Returns the number of bytes written.
  size_t openContent(bool hasBytes = true);
  Piece& add(std::string_view name, size_t bytes, const Digest& digest);

  Segments& body_;
  std::vector<Piece>& pieces_;
  bool isInteraction_;
  bool inContents_ = false;
  bool isFirst_ = true;  // of the list
};

}  // namespace strata::layers
