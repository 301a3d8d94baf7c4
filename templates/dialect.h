// The kernel dialect: what a template may say.
//
// Two readings.  The generator parses this file with the operations only declared, evaluates the template
// for one spec and prints the operations that remain.  With -DALN_DIRECT the operations are defined as plain
// loops over lanes (direct.h), so that the template itself runs: it is the oracle of its own printed kernels.
//
// A lane holds one alignment.  Opaque types have one value per lane; `int` and `bool` are uniform.
#pragma once
#include "device_abi.h"
#include "kernel_abi.h"

constexpr int MAX_K = 64;        // longest register tile, letters
constexpr int MAX_ROWS = 8;      // most stream letters a turn
constexpr int MAX_LETTERS = 32;  // largest alphabet

#ifdef ALN_DIRECT
#include "direct.h"
#define ALN_KERNEL(mapping) inline
#else
#define ALN_KERNEL(mapping) __attribute__((annotate("aln.kernel:" mapping)))
#define ALN_OP __attribute__((annotate("aln.op")))
#define ALN_OPAQUE __attribute__((annotate("aln.opaque")))

struct ALN_OPAQUE vscore {
  int opaque;
};  // a score, in the kernel's width; adds wrap
struct ALN_OPAQUE vwide {
  int opaque;
};  // a total, 32 bits
struct ALN_OPAQUE vpos {
  int opaque;
};  // a position or length, 32 bits
struct ALN_OPAQUE vchar {
  int opaque;
};  // a letter's code
struct ALN_OPAQUE vmask {
  int opaque;
};  // a predicate
struct ALN_OPAQUE vtable {
  int opaque;
};  // 32 scores, the same for all lanes, looked up by letter

// Scores.
ALN_OP vscore splat(int);
ALN_OP vscore add(vscore, vscore);
ALN_OP vscore sub(vscore, vscore);
ALN_OP vscore sub_floor0(vscore, vscore);  // max(a - b, 0) for a and b >= 0
ALN_OP vscore max(vscore, vscore);
ALN_OP vmask equal(vscore, vscore);
ALN_OP vmask greater(vscore, vscore);
ALN_OP vscore select(vmask, vscore, vscore);  // where the mask holds the second, else the third

// Letters.
ALN_OP vchar splat_letter(int);
ALN_OP vmask equal(vchar, vchar);
ALN_OP vchar select(vmask, vchar, vchar);

// Positions and totals.
ALN_OP vpos splat_pos(int);
ALN_OP vpos sub(vpos, vpos);
ALN_OP vpos max(vpos, vpos);
ALN_OP vpos min(vpos, vpos);
ALN_OP vmask equal(vpos, vpos);
ALN_OP vscore to_score(vpos);  // for values that fit
ALN_OP vwide to_wide(vpos);
ALN_OP vwide to_wide(vscore);
ALN_OP vwide splat_wide(int);
ALN_OP vwide add(vwide, vwide);
ALN_OP vwide sub(vwide, vwide);
ALN_OP vwide mul(vwide, vwide);
ALN_OP vwide max(vwide, vwide);
ALN_OP vmask greater(vwide, vwide);
ALN_OP vwide select(vmask, vwide, vwide);

// Predicates.
ALN_OP vmask both(vmask, vmask);
ALN_OP vmask either(vmask, vmask);
ALN_OP bool any(vmask);  // it holds for a lane or more; uniform

// The value itself, hidden from the evaluator: a loop that starts from it is printed as a loop, not unrolled.
ALN_OP int residual(int);

// Memory.  Element i of a lane-wise array is one value per lane.
ALN_OP int load_int(const int *, int i);
ALN_OP int load_letter(const unsigned char *, int i);
ALN_OP vchar load_letters(const unsigned char *, int i);
ALN_OP vpos load_pos(const int *, int i);
ALN_OP vscore load_score(const void *, int i);
ALN_OP vmask load_mask(const unsigned char *, int i);  // holds where the byte is not 0
ALN_OP void store_score(void *, int i, vscore);
ALN_OP void store_wide(int *, int i, vwide);
ALN_OP void store_mask(unsigned char *, int i, vmask);  // 1 where it holds, else 0

// Substitution matrices: row r is matrix[r * ALN_MATRIX_STRIDE ...].
ALN_OP const int *folded_matrix();  // the spec's matrix, as constants in the kernel
ALN_OP vtable load_table(const int *, int row);
ALN_OP vscore lookup(vtable, vchar);  // by the code's low five bits; codes 32..62 are not looked up
#include "group.h"
#endif

inline int max(int a, int b) { return a > b ? a : b; }
inline int min(int a, int b) { return a < b ? a : b; }
inline vscore operator+(vscore a, vscore b) { return add(a, b); }
inline vscore operator-(vscore a, vscore b) { return sub(a, b); }
inline vwide operator+(vwide a, vwide b) { return add(a, b); }
inline vwide operator-(vwide a, vwide b) { return sub(a, b); }
inline vwide operator*(vwide a, vwide b) { return mul(a, b); }
inline vpos operator+(vpos a, vpos b) { return add(a, b); }
inline vpos operator-(vpos a, vpos b) { return sub(a, b); }
inline vpos operator*(vpos a, vpos b) { return mul(a, b); }
inline vmask operator&(vmask a, vmask b) { return both(a, b); }
inline vmask operator|(vmask a, vmask b) { return either(a, b); }

// Every maximum of a recurrence goes through here, so that a traceback can ask which side won.
inline vscore choose(vscore a, vscore b) { return max(a, b); }
