/// The interface of a probe, and waits that Ctrl-C ends.
@NullMarked
package dev.jdyno.observe.probe;

import org.jspecify.annotations.NullMarked;
