// Every byte of a pack against what it should be.  See alnsmith/packs.hpp.
//
// The header's fields and the index's hash are checked by opening; here: that the index is written the one way, that
// the padding is zero, each blob's hash, each unit's key, and that binaries hold what their manifests claim.
#include <algorithm>

#include "alnsmith/packs.hpp"
#include "base/files.h"
#include "base/guard.h"
#include "packs/info.h"
#include "packs/search.h"

namespace alnsmith {
namespace rt::packs {
namespace {

class Verifier {
 public:
  Verifier(const PackFile &pack, PackCheck &check) : pack_(pack), index_(pack.index()), check_(check) {}

  void run() {
    if (index_text(index_) != pack_.index_bytes()) problem("its index is not written as a pack's is");
    if (const auto at = std::adjacent_find(index_.units.begin(), index_.units.end(), out_of_order);
        at != index_.units.end())
      problem("its units are not in order");
    padding();
    for (const PackedSpec &spec : index_.specs)
      if (auto text = pack_.read(spec.text); !text) problem("the spec " + spec.name + ": " + text.error().message);
    for (const Unit &unit : index_.units) check_unit(unit);
  }

 private:
  static bool out_of_order(const Unit &a, const Unit &b) {
    return b.spec < a.spec || (b.spec == a.spec && b.target <= a.target);
  }

  void problem(const std::string &what) { check_.problems.push_back(pack_.path() + ": " + what); }

  // What lies between the blobs.
  void padding() {
    std::uint64_t at = kPackHeader + pack_.index_bytes().size();
    auto ends = blobs_of(index_);
    for (std::size_t i = 0; i <= ends.size(); ++i) {
      const std::uint64_t next = i < ends.size() ? ends[i]->offset : pack_.size();
      const auto bytes = pack_.read_raw(at, next - at);
      if (!bytes) return problem(bytes.error().message);
      if (const auto odd = bytes->find_first_not_of('\0'); odd != std::string::npos)
        problem("damaged: byte " + std::to_string(at + odd) + " belongs to nothing and is not zero");
      if (i < ends.size()) at = ends[i]->offset + ends[i]->size;
    }
  }

  void check_unit(const Unit &unit) {
    const std::string name = unit_name(index_, unit);
    if (unit_key(unit, index_.builds[unit.build]) != unit.key) problem(name + ": its key is not that of its parts");
    const bool known = unit.target.kind != TargetKind::cpu || parse_isa(unit.target.arch);
    if (known) {
      if (auto parts = read_unit_parts(pack_, unit); !parts) problem(name + ": " + parts.error().message);
      return;
    }
    check_.warnings.push_back(pack_.path() + ": " + name + ": for a machine that this version does not know");
    for (const Blob *blob : {&unit.manifest, &unit.binary})
      if (auto bytes = pack_.read(*blob); !bytes) problem(name + ": " + bytes.error().message);
  }

  const PackFile &pack_;
  const Index &index_;
  PackCheck &check_;
};

}  // namespace
}  // namespace rt::packs

Result<PackCheck> verify_pack(const std::string &path) {
  return rt::guarded([&]() -> Result<PackCheck> {
    const auto pack = rt::packs::PackFile::open(path);
    if (!pack) return pack.error();
    PackCheck check;
    check.info = rt::packs::info_of(**pack);
    rt::packs::Verifier(**pack, check).run();
    return check;
  });
}

}  // namespace alnsmith
