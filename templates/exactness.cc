// What is told of kernels alone, for a planner that generates nothing: much less to read than kernels.cc.
#include "exactness.h"
