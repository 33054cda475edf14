/// Stores results in SQLite or PostgreSQL: runs, diagnoses, comparisons, tunings and guarded runs,
/// with their figures. The results' files stay where they are; the store has their paths and
/// checksums.
@NullMarked
package dev.jdyno.history;

import org.jspecify.annotations.NullMarked;
