#include <gtest/gtest.h>

#include "support/mutate.h"
#include "support/random_history.h"
#include "thread/saved_form.h"

namespace strata::thread {
namespace {

using test::Json;
using test::Judge;

std::string richBody() {
  return R"({"systemInstruction":{"parts":[{"text":"a"}]},"tools":[{"functionDeclarations":)"
         R"([{"name":"f0"}]},{"googleSearch":{}}],"generationConfig":{"thinkingConfig":)"
         R"({"thinkingBudget":1,"thinkingLevel":"LOW"},"topP":0.5},"cachedContent":"c",)" +
         test::bodyOf(test::RandomHistory(4).contents(8)).substr(1);
}

TEST(MutatedBodies, YieldDiagnosticsThatAreValidJson) {
  const Judge judge("gemini-3.8-flash", gemini::Backend::kVertex);
  std::mt19937 random(2);
  for (int i = 0; i < 4000; ++i) {
    const std::string body = test::mutated(richBody(), random);
    for (const catalogue::Finding& finding : lintRequest(body, judge.context())) {
      json::Writer out;
      catalogue::writeDiagnostic(out, finding, judge.target());
      ASSERT_TRUE(Json(out.text()).ok()) << body << out.text();
    }
  }
}

TEST(MutatedBodies, SavedThreadsLoadOrReportThePosition) {
  const Judge judge;
  std::mt19937 random(3);
  thread::Thread thread = judge.thread();
  for (const std::string& each : test::RandomHistory(5).contents(6)) test::append(thread, each);
  test::append(thread, " " + test::user("with white space"));
  const std::string saved = thread::save(thread).join();
  for (int i = 0; i < 3000; ++i) {
    const std::string bytes = test::mutated(saved, random);
    thread::Thread loaded = judge.thread();
    const Status status = thread::loadSaved(loaded, bytes);
    if (!status) {
      ASSERT_LE(status.error().offset, bytes.size()) << bytes;
      continue;
    }
    thread::Thread again = judge.thread();
    ASSERT_TRUE(thread::loadSaved(again, thread::save(loaded).join())) << bytes;
    ASSERT_EQ(test::hexDigest(again), test::hexDigest(loaded)) << bytes;
  }
}

}  // namespace
}  // namespace strata::thread
