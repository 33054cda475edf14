/// What a probe is, and waiting that Ctrl-C ends.
@NullMarked
package dev.jdyno.observe.probe;

import org.jspecify.annotations.NullMarked;
