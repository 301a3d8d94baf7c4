/// @file
/// A database as the targets of a search.
#pragma once

#include <memory>
#include <optional>

#include "alnsmith/database.hpp"
#include "alnsmith/packed_copy.hpp"
#include "alnsmith/search.hpp"

namespace alnsmith::search {

/// Gives sequences of a database, mapped: a portion costs the memory of its views, and its letters are the system's to
/// keep or drop.
class DatabaseSource : public TargetSource {
 public:
  /// @param database lives as long as this and its portions @param range numbers of the sequences that are given
  /// @param copy of the database, in the layout of who takes the portions; null: none. Blocks that it covers and that
  /// are
  ///   given whole come with it; of these, letters are checked where they are read all the same
  DatabaseSource(const Database &database, Range range, const PackedCopy *copy = nullptr);

  /// The next targets, all of one block. @param bytes of letters, about @return a portion; null at the end
  Result<std::unique_ptr<Portion>> next(std::size_t bytes) override;
  /// Begins again. @return always well
  Status rewind() override;
  /// By numbers. @return 0 to 1
  std::optional<double> share_read() const override;
  /// A database finds them. @return true
  bool keeps() const override { return true; }
  /// A target by its number. @param number of the database @return a copy; an error where it is damaged
  Result<Entry> entry(std::uint64_t number) override;

 private:
  Result<std::unique_ptr<Portion>> packed_portion(std::uint64_t block);
  const Database &database_;
  const PackedCopy *copy_;
  Range range_;
  std::uint64_t at_;
};

}  // namespace alnsmith::search
