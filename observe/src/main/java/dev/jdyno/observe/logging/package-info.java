/// The logging configuration of a process.
@NullMarked
package dev.jdyno.observe.logging;

import org.jspecify.annotations.NullMarked;
