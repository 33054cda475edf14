/// Analyses many logs together.
@NullMarked
package dev.jdyno.gclog.fleet;

import org.jspecify.annotations.NullMarked;
