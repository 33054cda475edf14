/// Shared by the readers of all formats: lines, words, clocks, drafts of events.
@NullMarked
package dev.jdyno.gclog.read;

import org.jspecify.annotations.NullMarked;
