/// A service judged from files that were recorded elsewhere, where nothing could be installed:
/// flight recordings, thread dumps, GC logs, access logs.
@NullMarked
package dev.jdyno.recorded;

import org.jspecify.annotations.NullMarked;
