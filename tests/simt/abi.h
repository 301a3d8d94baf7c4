// What a compiled kernel text and the scheduler know of each other.
//
// Included on both sides: by the device headers in front of a kernel text (C++17, without the standard library) and by
// the library.  The kernel object exports `simt_bind`, which takes the services, and `simt_entries`, a list ended by a
// null name.
#pragma once

namespace simt {

typedef unsigned long long Word;  // a lane's value, or one bit per lane

// Where the calling thread is.
struct Place {
  unsigned thread, threads;                              // in its block
  unsigned block, blocks;                                // in its grid
  unsigned warp;                                         // lanes of a warp
  unsigned lane() const { return thread & (warp - 1); }  // a warp has 32 or 64
};

// The mask that stands for all threads of the warp that the block has.
constexpr Word WHOLE_WARP = 0;

// What a kernel asks of the scheduler.  `site` is the address of the call in the kernel: all threads of one rendezvous
// must come from the same site.  Names are for messages.
struct Services {
  const Place *(*place)();
  char *(*shared)();
  // Waits for the lanes of `mask`; the value that lane `source` brought, or the caller's own if `source` is negative.
  Word (*exchange)(const char *name, const void *site, Word mask, Word value, int source);
  // Waits for the lanes of `mask`; the lanes whose `vote` holds.
  Word (*ballot)(const char *name, const void *site, Word mask, bool vote);
  // Waits for all threads of the block.
  void (*barrier)(const char *name, const void *site);
  // Counting builds: a load or a store.
  void (*access)(const void *site, const void *address, unsigned bytes, bool store);
  // Ends the launch with this message.
  void (*fail)(const char *message);
};

// A kernel of the object.  `call` takes as many pointers to values as there are parameters.
struct Entry {
  const char *name;
  void (*call)(void *const *arguments);
  int parameters;
  const unsigned *sizes;  // of the parameters, in bytes
  int threads;            // launch bound; 0: none
};

}  // namespace simt
