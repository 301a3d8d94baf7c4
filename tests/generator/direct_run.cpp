// The templates compiled as they stand, -DALN_DIRECT.
#include "direct_run.h"

#define ALN_DIRECT
#include "kernels.cc"  // NOLINT(bugprone-suspicious-include): the templates themselves

namespace {

Setting setting_of(const alnsmith::frontend::Statics &s, const std::string &field) {
  return {s.at(field + ".runtime") != 0, static_cast<int>(s.at(field + ".value")),
          static_cast<int>(s.at(field + ".index"))};
}

Spec spec_of(const alnsmith::frontend::Statics &s) {
  auto number = [&](const char *field) { return static_cast<int>(s.at(field)); };
  auto flag = [&](const char *field) { return s.at(field) != 0; };
  Spec sp;
  sp.k = number("k");
  sp.lowest = number("lowest");
  sp.highest = number("highest");
  sp.affine = flag("affine");
  sp.local = flag("local");
  sp.shared = flag("shared");
  sp.end = flag("end");
  sp.refill = flag("refill");
  sp.saturating = flag("saturating");
  sp.floor_diagonal = flag("floor_diagonal");
  sp.floor_cell = flag("floor_cell");
  sp.floor_gaps = flag("floor_gaps");
  sp.warp = number("warp");
  sp.warps = number("warps");
  sp.p = number("p");
  sp.packing = number("packing");
  sp.rebased = flag("rebased");
  sp.separate = flag("separate");
  sp.shared_rows = number("shared_rows");
  sp.matrix = flag("matrix");
  sp.matrix_runtime = flag("matrix_runtime");
  sp.letters = number("letters");
  sp.stream_begin_free = flag("stream_begin_free");
  sp.stream_end_free = flag("stream_end_free");
  sp.register_begin_free = flag("register_begin_free");
  sp.register_end_free = flag("register_end_free");
  sp.match = setting_of(s, "match");
  sp.mismatch = setting_of(s, "mismatch");
  sp.stream_open = setting_of(s, "stream_open");
  sp.stream_extend = setting_of(s, "stream_extend");
  sp.register_open = setting_of(s, "register_open");
  sp.register_extend = setting_of(s, "register_extend");
  sp.score_min = setting_of(s, "score_min");
  sp.score_max = setting_of(s, "score_max");
  return sp;
}

}  // namespace

int run_directly(const std::string &mapping, const alnsmith::frontend::Statics &statics, int bits, int lanes,
                 const int *matrix, const aln_args_v1 *args) {
  direct::bits = bits;
  direct::lanes = lanes;
  direct::matrix = matrix;
  if (mapping == "lanes") return lanes_kernel(spec_of(statics), args);
  return -1;
}
