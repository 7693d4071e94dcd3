// Tests the comparison of manifests.
#include "prompt/manifest_diff.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/json_file.h"

namespace strata::prompt {
namespace {

using test::Json;

std::string section(const std::string& id, const std::string& fingerprint,
                    const std::string& stability = "stable") {
  return R"({"id":")" + id + R"(","stability":")" + stability +
         R"(","bytes":10,"tokens":3,"fingerprint":")" + fingerprint + "\"}";
}

std::string manifest(const std::string& sections, const std::string& more = "") {
  return R"({"version":"1","sections":[)" + sections +
         R"(],"fingerprints":{"stable":"s","dynamic":"d"})" + more + "}";
}

// Returns the diff as JSON, or the error.
std::string diffOf(const std::string& before, const std::string& after) {
  const Json a(before);
  const Json b(after);
  EXPECT_TRUE(a.ok() && b.ok());
  const auto diff = diffManifests(a.root(), b.root());
  return diff ? json::toText(diff.value()) : std::string(diff.error().code) + diff.error().detail;
}

TEST(ManifestDiff, OfEqualManifestsIsEmpty) {
  const std::string same = manifest(section("a", "1") + "," + section("b", "2", "dynamic"));
  EXPECT_EQ(
      diffOf(same, same),
      R"({"sameStable":true,"sameDynamic":true,"sections":[],"shared":{"bytes":10,"tokens":3},)"
      R"("lost":{"bytes":0,"tokens":0},"fresh":{"bytes":0,"tokens":0}})");
}

TEST(ManifestDiff, ListsChangesAndTheLostPrefix) {
  const std::string before =
      manifest(section("a", "1") + "," + section("b", "2") + "," + section("c", "3"));
  const std::string after =
      manifest(section("a", "1") + "," + section("b", "x") + "," + section("d", "4"));
  EXPECT_EQ(
      diffOf(before, after),
      R"({"sameStable":true,"sameDynamic":true,"sections":[{"id":"b","change":"changed","before":)" +
          section("b", "2") + R"(,"after":)" + section("b", "x") +
          R"(},{"id":"c","change":"removed","before":)" + section("c", "3") +
          R"(},{"id":"d","change":"added","after":)" + section("d", "4") +
          R"(}],"firstChange":"b","shared":{"bytes":10,"tokens":3},)"
          R"("lost":{"bytes":20,"tokens":6},"fresh":{"bytes":20,"tokens":6}})");
}

TEST(ManifestDiff, AddedAndRemovedSectionsMoveNoOthers) {
  const auto ids = [](const std::string& names) {
    std::string sections;
    for (const char name : names) {
      sections += (sections.empty() ? "" : ",") + section(std::string(1, name), "1");
    }
    return manifest(sections);
  };
  const auto changes = [&](const std::string& a, const std::string& b) {
    const Json diff(diffOf(ids(a), ids(b)));
    std::string all;
    for (const json::Value change : json::elements(diff.root().find("sections"))) {
      all += change.find("change").text() + " " + change.find("id").text() + ";";
    }
    return all;
  };
  EXPECT_EQ(changes("abc", "bcd"), "removed a;added d;");
  EXPECT_EQ(changes("ab", "ba"), "moved a;moved b;");
}

TEST(ManifestDiff, OfRequestsComparesFieldsAndCache) {
  const auto request = [](const std::string& pieces, const std::string& key) {
    return manifest("", R"(,"pieces":[{"name":"buffered","fingerprint":")" + key + "\"}" + pieces +
                            R"(],"cache":{"key":")" + key + "\"}");
  };
  const auto last = [](const std::string& diff) { return diff.substr(diff.find("\"fields\"")); };
  const std::string tools = R"(,{"name":"tools","fingerprint":"1"})";
  const std::string other = R"(,{"name":"tools","fingerprint":"2"})";
  EXPECT_EQ(last(diffOf(request(tools, "k"), request(tools, "k"))),
            R"("fields":[],"cacheStale":false})");
  EXPECT_EQ(last(diffOf(request(tools, "k"), request(other, "l"))),
            R"("fields":["tools"],"cacheStale":true})");
  EXPECT_EQ(last(diffOf(request("", "k"), request(tools, "k"))),
            R"("fields":["tools"],"cacheStale":false})");
  EXPECT_EQ(last(diffOf(request(tools, "k"), request("", "k"))),
            R"("fields":["tools"],"cacheStale":false})");
}

TEST(ManifestDiff, RefusesOtherDocuments) {
  const std::string start =
      "manifest.versionOnly manifests of version 1 can be compared, not version ";
  EXPECT_EQ(diffOf(manifest(""), "{}"), start + "undefined");
  EXPECT_EQ(diffOf("null", manifest("")), start + "undefined");
  EXPECT_EQ(diffOf(R"({"version":"2"})", manifest("")), start + "2");
  EXPECT_EQ(diffOf(R"({"version":1})", manifest("")), start + "1");
}

TEST(ManifestDiff, SurvivesDamagedManifests) {
  for (const char* damaged : {R"({"version":"1"})", R"({"version":"1","sections":5,"pieces":{}})",
                              R"({"version":"1","sections":[null,{"stability":"stable"}]})"}) {
    EXPECT_EQ(diffOf(damaged, damaged).substr(0, 14), R"({"sameStable":)") << damaged;
    const std::string added = R"({"id":"a","change":"added","after":)" + section("a", "1") + "}";
    EXPECT_NE(diffOf(damaged, manifest(section("a", "1"))).find(added), std::string::npos);
  }
}

}  // namespace
}  // namespace strata::prompt
