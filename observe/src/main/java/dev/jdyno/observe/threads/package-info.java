/// The threads of a target: dumps, virtual threads, the kernel's data on each.
@NullMarked
package dev.jdyno.observe.threads;

import org.jspecify.annotations.NullMarked;
