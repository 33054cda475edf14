/// What the readers of all formats share: lines, words, clocks, drafts of events.
@NullMarked
package dev.jdyno.gclog.read;

import org.jspecify.annotations.NullMarked;
