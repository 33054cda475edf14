/// The versions of a service between two commits: reads a git repository by fixed commands, copies
/// its commits, and builds them. A repository may be hostile: its texts are data.
@NullMarked
package dev.jdyno.repository;

import org.jspecify.annotations.NullMarked;
