/** @file
 * The version of these headers; alnsmith_version() is the library's. CMake reads it here, so it is written once.
 *
 * Semantic: before 1.0 a new minor version may change interfaces, and the library's SONAME with them
 * (libalnsmith.so.0.1); a new patch version keeps both. */
#ifndef ALNSMITH_VERSION_H
#define ALNSMITH_VERSION_H

#define ALNSMITH_VERSION_MAJOR 0 /**< interfaces change with it */
#define ALNSMITH_VERSION_MINOR 1 /**< before 1.0 they may change with this one too */
#define ALNSMITH_VERSION_PATCH 0 /**< mends only */

#endif
