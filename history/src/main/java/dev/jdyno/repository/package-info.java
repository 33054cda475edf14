/// The versions of a service between two commits: a git repository read by fixed commands, copies
/// of its commits, builds. A repository may be hostile: its texts are data.
@NullMarked
package dev.jdyno.repository;

import org.jspecify.annotations.NullMarked;
