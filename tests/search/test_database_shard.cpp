// Shards: every sequence in exactly one, whatever their number, by the rule that the page states.
#include "databases.h"
#include "scratch.h"

namespace alnsmith::search::testing {
namespace {

using scratch::Folder;

TEST(Shard, EverySequenceIsInOneWhereItsFirstLetterLies) {
  const Folder folder;
  const Entries entries = random_entries(11, 257, 400);
  for (const std::size_t block : {std::size_t{1}, std::size_t{3000}, std::size_t{1} << 20}) {
    ASSERT_TRUE(write(folder.path("x"), entries, block));
    const auto database = Database::open(folder.path("x"));
    ASSERT_TRUE(database);
    const std::uint64_t letters = database->info().letters;
    for (const std::uint64_t parts : {1, 2, 3, 7, 64, 256, 257, 258, 1000, 200000}) {
      std::uint64_t number = 0, before = 0;
      for (std::uint64_t part = 1; part <= parts; ++part) {
        const auto range = database->shard(part, parts);
        ASSERT_TRUE(range);
        ASSERT_EQ(range->begin, number);
        ASSERT_LE(range->begin, range->end);
        for (; number < range->end; ++number) {
          ASSERT_LE(letters * (part - 1) / parts, before);
          ASSERT_LT(before, letters * part / parts);
          before += entries[number].letters.size();
        }
      }
      EXPECT_EQ(number, entries.size());
    }
  }
}

TEST(Shard, OneThatIsNotThereIsAnErrorOfUse) {
  const Folder folder;
  ASSERT_TRUE(write(folder.path("x"), random_entries(12, 5, 10)));
  const auto database = Database::open(folder.path("x"));
  ASSERT_TRUE(database);
  for (const auto &[part, parts] : {std::pair(0, 1), std::pair(2, 1), std::pair(1, 0)}) {
    const auto range = database->shard(static_cast<std::uint64_t>(part), static_cast<std::uint64_t>(parts));
    ASSERT_FALSE(range);
    EXPECT_EQ(range.error().exit_code, 2);
    EXPECT_NE(range.error().message.find(std::to_string(part) + "/" + std::to_string(parts)), std::string::npos);
  }
}

}  // namespace
}  // namespace alnsmith::search::testing
