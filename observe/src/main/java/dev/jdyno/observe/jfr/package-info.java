/// Flight recordings in the target: started, guarded, read.
@NullMarked
package dev.jdyno.observe.jfr;

import org.jspecify.annotations.NullMarked;
