/// What a frame of the JDK or of a library means, and what to write instead of it: the knowledge
/// file, and its search in the stacks, allocations and exceptions of a run.
@NullMarked
package dev.jdyno.diagnose.advice;

import org.jspecify.annotations.NullMarked;
