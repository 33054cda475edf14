/// The page of a run and that of a GC log.
@NullMarked
package dev.jdyno.report.html;

import org.jspecify.annotations.NullMarked;
