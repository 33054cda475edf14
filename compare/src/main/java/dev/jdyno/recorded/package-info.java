/// Diagnoses a service from files that were recorded elsewhere, if nothing can be installed there:
/// flight recordings, thread dumps, GC logs, access logs.
@NullMarked
package dev.jdyno.recorded;

import org.jspecify.annotations.NullMarked;
