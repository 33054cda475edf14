/// The threads of a target: dumps, virtual threads, what the kernel knows of each.
@NullMarked
package dev.jdyno.observe.threads;

import org.jspecify.annotations.NullMarked;
