/// Watches JVMs of this host for days: minutes with verdicts, events, day files (docs/watch.md).
@NullMarked
package dev.jdyno.watch;

import org.jspecify.annotations.NullMarked;
