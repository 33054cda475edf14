/// GC log lines to events to analysis, for every HotSpot since 6; works alone on files.
@NullMarked
package dev.jdyno.gclog;

import org.jspecify.annotations.NullMarked;
