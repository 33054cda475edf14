/// The reader of unified logging (JDK 9 and later).
@NullMarked
package dev.jdyno.gclog.unified;

import org.jspecify.annotations.NullMarked;
