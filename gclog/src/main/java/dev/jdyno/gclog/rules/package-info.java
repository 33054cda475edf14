/// The problems of a JVM that its GC log can show: one rule per file, with the source of its
/// limits.
@NullMarked
package dev.jdyno.gclog.rules;

import org.jspecify.annotations.NullMarked;
