// What is told of kernels alone, for who plans and does not generate: much less to read than kernels.cc.
#include "exactness.h"
