/// The reader of GC logs of JDK 6–8.
@NullMarked
package dev.jdyno.gclog.legacy;

import org.jspecify.annotations.NullMarked;
