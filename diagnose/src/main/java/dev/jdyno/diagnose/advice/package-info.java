/// Recommendations for calls of the JDK and of libraries: the knowledge file `advice.txt`, and the
/// search for its patterns in the stacks, allocations and exceptions of a run.
@NullMarked
package dev.jdyno.diagnose.advice;

import org.jspecify.annotations.NullMarked;
