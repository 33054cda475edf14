/// Keeps results: runs, diagnoses, comparisons and tunings with their figures, in SQLite or
/// PostgreSQL. The results' files stay where they are; their paths and checksums are kept.
@NullMarked
package dev.jdyno.history;

import org.jspecify.annotations.NullMarked;
