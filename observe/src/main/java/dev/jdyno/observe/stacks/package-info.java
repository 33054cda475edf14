/// Thread dumps and stacks: what a thread does, by its frames.
@NullMarked
package dev.jdyno.observe.stacks;

import org.jspecify.annotations.NullMarked;
