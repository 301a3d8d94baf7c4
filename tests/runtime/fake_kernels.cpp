// A test double of generated kernels: the argument block's contract by plain scalar DP, lane by lane.
//
// Compiled into shared objects that differ by macros: FAKE_LOCAL, FAKE_TARGET, FAKE_NAME, FAKE_RUNTIME,
// FAKE_END, FAKE_CIGAR (with it).
// Scores outside the width set the status and leave a wrong score behind, as saturating arithmetic does;
// a broken invariant of the argument block makes the kernel return 2.
#include <algorithm>
#include <cstring>
#include <vector>

#ifndef ALNSMITH_KERNEL_ABI_H  // the fake generator puts it in front
#include "alnsmith/kernel_abi.h"
#endif

#ifndef FAKE_LOCAL
#define FAKE_LOCAL 0
#endif
#ifndef FAKE_RUNTIME
#define FAKE_RUNTIME 0
#endif
#ifndef FAKE_END
#define FAKE_END 0
#endif
#ifndef FAKE_CIGAR
#define FAKE_CIGAR 0
#endif
#ifndef FAKE_TARGET
#define FAKE_TARGET "scalar"
#endif

namespace {

constexpr int kMatch = 2, kMismatch = -1, kOpen = 2, kExtend = 1, kNone = -(1 << 29);

struct Shape {
  int width, lanes, k;
  bool shared, query_in_registers, segments;
};

bool sound(const aln_args_v1 &a, const Shape &s) {
  const auto *r = a.register_length, *t = a.stream_length;
  if (*std::min_element(r, r + s.lanes) != a.register_min || *std::max_element(r, r + s.lanes) != a.register_max)
    return false;
  if (*std::max_element(t, t + s.lanes) != a.stream_max || a.register_min < 1 || a.segments < 1) return false;
  std::vector<int> ends(t, t + s.lanes);
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  if (!s.segments) ends.assign(1, a.stream_max);
  if (std::vector<int>(a.segment_end, a.segment_end + a.segments) != ends || ends.front() < 1) return false;
  const int rows = (a.register_max + s.k - 1) / s.k * s.k;
  const int register_pad = s.query_in_registers ? ALN_CODE_QUERY_PAD : ALN_CODE_TARGET_PAD;
  const int stream_pad = s.query_in_registers ? ALN_CODE_TARGET_PAD : ALN_CODE_QUERY_PAD;
  for (int l = 0; l < s.lanes; ++l) {
    for (int i = 0; i < rows; ++i)
      if ((a.register_letters[i * s.lanes + l] == register_pad) != (i >= r[l])) return false;
    for (int i = 0; i < a.stream_max && !s.shared; ++i)
      if ((a.stream_letters[i * s.lanes + l] == stream_pad) != (i >= t[l])) return false;
  }
  std::memset(a.scratch, 0x5A, static_cast<std::size_t>(64 + 3 * a.stream_max));
  return reinterpret_cast<std::size_t>(a.scratch) % 64 == 0;
}

struct Scores {
  int match, mismatch, insertion_open, insertion_extend, deletion_open, deletion_extend;
};

struct Answer {
  long score;
  int query_end, target_end;
};

Answer align(const std::vector<int> &query, const std::vector<int> &target, const Scores &s, const int *matrix) {
  const int n = static_cast<int>(query.size()), m = static_cast<int>(target.size());
  std::vector<long> H(m + 1), F(m + 1, kNone);
  for (int j = 1; j <= m; ++j) H[j] = FAKE_LOCAL ? 0 : -(s.deletion_open + long{s.deletion_extend} * j);
  Answer best{0, -1, -1};
  for (int i = 1; i <= n; ++i) {
    long diagonal = H[0], E = kNone, highest = 0;
    long left = H[0] = FAKE_LOCAL ? 0 : -(s.insertion_open + long{s.insertion_extend} * i);
    const int q = query[i - 1];
    const int *row = matrix ? matrix + q * ALN_MATRIX_STRIDE : nullptr;
    for (int j = 1; j <= m; ++j) {
      const long up = H[j];
      const int t = target[j - 1], letters = row ? row[t] : q == t ? s.match : s.mismatch;
      E = std::max(E, left - s.deletion_open) - s.deletion_extend;
      F[j] = std::max(F[j], up - s.insertion_open) - s.insertion_extend;
      // What is known already first: the next cell waits for this one.
      left = std::max(std::max(std::max<long>(diagonal + letters, FAKE_LOCAL ? 0 : kNone), F[j]), E);
      diagonal = up;
      H[j] = left;
      highest = std::max(highest, left);
    }
    if (!FAKE_LOCAL || highest == 0 || highest < best.score) continue;
    const int j = static_cast<int>(std::find(H.begin() + 1, H.end(), highest) - H.begin());
    if (highest > best.score || j - 1 < best.target_end) best = {highest, i - 1, j - 1};
  }
  return FAKE_LOCAL ? best : Answer{H[m], n - 1, m - 1};
}

#if FAKE_CIGAR
// The way back from where `found` ends: its runs as the ABI has them, and the letters before its begin.
struct Path {
  std::vector<int> runs;
  int query_begin, target_begin;
};

Path walk(const std::vector<int> &query, const std::vector<int> &target, const Scores &s, const int *matrix,
          const Answer &found) {
  const int n = static_cast<int>(query.size()), m = static_cast<int>(target.size());
  using Matrix = std::vector<std::vector<long>>;
  Matrix H(n + 1, std::vector<long>(m + 1)), E(n + 1, std::vector<long>(m + 1, kNone)), F = E;
  const auto letters = [&](int i, int j) {
    const int q = query[i - 1], t = target[j - 1];
    return matrix ? matrix[q * ALN_MATRIX_STRIDE + t] : q == t ? s.match : s.mismatch;
  };
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= m; ++j) {
      if (i == 0 || j == 0) {
        const long gap = i > 0   ? s.insertion_open + long{s.insertion_extend} * i
                         : j > 0 ? s.deletion_open + long{s.deletion_extend} * j
                                 : 0;
        H[i][j] = FAKE_LOCAL ? 0 : -gap;
        continue;
      }
      E[i][j] = std::max(E[i][j - 1], H[i][j - 1] - s.deletion_open) - s.deletion_extend;
      F[i][j] = std::max(F[i - 1][j], H[i - 1][j] - s.insertion_open) - s.insertion_extend;
      H[i][j] = std::max<long>({H[i - 1][j - 1] + letters(i, j), E[i][j], F[i][j], FAKE_LOCAL ? 0 : kNone});
    }
  Path path{{}, 0, 0};
  int last = -1;
  const auto take = [&](int operation, int count) {
    if (operation != last) path.runs.push_back(operation);
    last = operation;
    path.runs.back() += count * 16;
  };
  int i = found.query_end + 1, j = found.target_end + 1;
  while (i > 0 && j > 0 && !(FAKE_LOCAL && H[i][j] == 0)) {
    if (H[i][j] == H[i - 1][j - 1] + letters(i, j)) {
      take(0, 1), --i, --j;
    } else if (H[i][j] == E[i][j]) {
      for (bool left = false; !left; --j) {
        left = E[i][j] == H[i][j - 1] - s.deletion_open - s.deletion_extend;
        take(2, 1);
      }
    } else {
      for (bool left = false; !left; --i) {
        left = F[i][j] == H[i - 1][j] - s.insertion_open - s.insertion_extend;
        take(1, 1);
      }
    }
  }
  if (!FAKE_LOCAL && i > 0) take(1, i), i = 0;
  if (!FAKE_LOCAL && j > 0) take(2, j), j = 0;
  path.query_begin = i;
  path.target_begin = j;
  return path;
}

// Hands a lane's path out; what the kernel may keep on the way is written over.
void store(const aln_args_v1 &a, const Shape &s, int lane, const Path &path) {
  std::memset(static_cast<char *>(a.scratch) + 64 + 3 * a.stream_max, 0x5A,
              static_cast<std::size_t>(a.kept_strips) * (2 * a.stream_max + 4));
  a.query_begin[lane] = path.query_begin;
  a.target_begin[lane] = path.target_begin;
  a.cigar_runs[lane] = static_cast<int>(path.runs.size());
  for (int r = 0; r < std::min(a.cigar_room, a.cigar_runs[lane]); ++r) a.cigar[r * s.lanes + lane] = path.runs[r];
}
#endif

int run(const aln_args_v1 *args, const Shape &s) {
  if (args->size < sizeof(aln_args_v1)) return 1;
  const aln_args_v1 &a = *args;
  if (!sound(a, s)) return 2;
  Scores scores{kMatch, kMismatch, kOpen, kExtend, kOpen, kExtend};
#if FAKE_RUNTIME
  scores = {a.scoring[0], a.scoring[1], a.scoring[2], a.scoring[3], a.scoring[4], a.scoring[5]};
#endif
  for (int l = 0; l < s.lanes; ++l) {
    std::vector<int> side(a.register_length[l]), stream(a.stream_length[l]);
    for (int i = 0; i < a.register_length[l]; ++i) side[i] = a.register_letters[i * s.lanes + l];
    for (int i = 0; i < a.stream_length[l]; ++i) stream[i] = a.stream_letters[s.shared ? i : i * s.lanes + l];
    const Answer found =
        s.query_in_registers ? align(side, stream, scores, a.matrix) : align(stream, side, scores, a.matrix);
    const int most = s.width == 8 ? 127 : s.width == 16 ? 32767 : 0x7FFFFFFF;
    a.status[l] = found.score > most || found.score < -most - 1;
    a.score[l] = a.status[l] ? 7 : static_cast<int>(found.score);
#if FAKE_END
    a.query_end[l] = a.status[l] ? 77 : found.query_end;
    a.target_end[l] = a.status[l] ? 77 : found.target_end;
#endif
#if FAKE_CIGAR
    const bool walked = !a.status[l] && found.query_end >= 0;
    const std::vector<int> &query = s.query_in_registers ? side : stream,
                           &target = s.query_in_registers ? stream : side;
    store(a, s, l, walked ? walk(query, target, scores, a.matrix, found) : Path{{}, -1, -1});
#endif
  }
  return 0;
}

}  // namespace

#define KERNEL(name, width, lanes, k, shared, query, segments)                       \
  extern "C" __attribute__((visibility("default"))) int name(const aln_args_v1 *a) { \
    return run(a, {width, lanes, k, shared, query, segments});                       \
  }
KERNEL(fake_pairs_i8, 8, 64, 4, false, false, true)
KERNEL(fake_pairs_i16, 16, 32, 8, false, true, false)
KERNEL(fake_pairs_i32, 32, 4, 1, false, false, true)
KERNEL(fake_shared_i8, 8, 16, 4, true, false, true)
KERNEL(fake_shared_i16, 16, 8, 3, true, false, false)
KERNEL(fake_shared_i32, 32, 1, 1, true, false, true)

#define ENTRY(name, form, width, lanes, k, side, segments, checked, exact)                                         \
  "{\"entry\":\"" name "\",\"form\":\"" form "\",\"mapping\":\"lanes\",\"arithmetic\":\"int" #width                \
  "\",\"width\":" #width ",\"lanes\":" #lanes ",\"k\":" #k ",\"layout\":\"lanes-u8-v1\",\"register_side\":\"" side \
  "\",\"segments\":" segments                                                                                      \
  ",\"scratch\":{\"per_stream_letter\":3,\"fixed\":64},\"usable\":\"1\",\"exact\":\"" exact                        \
  "\",\"lengths\":\"" LENGTHS "\",\"checked\":" checked END "}"
#if FAKE_CIGAR
#define END                                                                                                    \
  ",\"end\":true,\"begin\":true,\"cigar\":true,\"way_back\":{\"patch_rows\":4,\"border_per_stream_letter\":1," \
  "\"states_"                                                                                                  \
  "per_stream_letter\":1}"
#elif FAKE_END
#define END ",\"end\":true"
#else
#define END ""
#endif
#if FAKE_LOCAL
#define ALIGNMENT "local"
#define FITS(most) "score_max * min(query, target) <= " most
#define LENGTHS "1"
#else
#define LENGTHS "insertion_open + insertion_extend * query + deletion_open + deletion_extend * target <= 1073741824"
#define ALIGNMENT "global"
#define FITS(most) \
  "score_max * min(query, target) <= " most " && 4 + insertion_extend * query + deletion_extend * target <= " most
#endif
#if FAKE_RUNTIME
#define SCORING                                                                                                  \
  "{},\"runtime\":[\"match\",\"mismatch\",\"insertion_open\",\"insertion_extend\",\"deletion_open\",\"deletion_" \
  "extend\"]"
#else
#define SCORING                                                                                                       \
  "{\"match\":2,\"mismatch\":-1,\"insertion_open\":2,\"insertion_extend\":1,\"deletion_open\":2,\"deletion_extend\":" \
  "1},\"runtime\":[]"
#endif
#if FAKE_RUNTIME == 2
#define MATRIX "runtime"
#else
#define MATRIX "none"
#endif

#define QUOTED(x) #x
#define WORD(x) QUOTED(x)
extern "C" __attribute__((visibility("default"))) const char aln_manifest_v1[] =
    "{\"schema\":5,\"abi\":" WORD(ALN_ABI_VERSION) ",\"generator\":\"fake\",\"spec\":{\"name\":\"fake\",\"hash\":\""
    "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff\"},\"target\":\"" FAKE_TARGET
    "\",\"semantics\":{\"alignment\":\"" ALIGNMENT "\",\"free_ends\":[],\"objective\":\"maximize\",\"scoring\":" SCORING
    ",\"matrix\":\"" MATRIX "\",\"max_query\":5000,\"max_target\":null},\"alphabet\":{\"letters\":\"ACGT\",\"wildcard\":null,"
    "\"query_codes\":[[65,0],[67,1],[71,2],[84,3],[97,0],[99,1],[103,2],[116,3],[85,3],[117,3]],"
    "\"target_codes\":[[65,0],[67,1],[71,2],[84,3],[97,0],[99,1],[103,2],[116,3],[85,3],[117,3]]},\"kernels\":["
    ENTRY("fake_pairs_i8", "pairwise", 8, 64, 4, "target", "true", "true", FITS("127")) ","
    ENTRY("fake_pairs_i16", "pairwise", 16, 32, 8, "query", "false", "true", FITS("32767")) ","
    ENTRY("fake_pairs_i32", "pairwise", 32, 4, 1, "target", "true", "false", FITS("2147483647"))
#if !FAKE_CIGAR  // kernels that walk back take pairs
    ","
    ENTRY("fake_shared_i8", "shared_profile", 8, 16, 4, "target", "true", "true", FITS("127")) ","
    ENTRY("fake_shared_i16", "shared_profile", 16, 8, 3, "target", "false", "true", FITS("32767")) ","
    ENTRY("fake_shared_i32", "shared_profile", 32, 1, 1, "target", "true", "false", FITS("2147483647"))
#endif
    "]}";
