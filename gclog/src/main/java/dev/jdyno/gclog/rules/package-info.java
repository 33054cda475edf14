/// What can be wrong with a JVM by its GC log: one rule a file, limits named with their source.
@NullMarked
package dev.jdyno.gclog.rules;

import org.jspecify.annotations.NullMarked;
