/// Reads data that others wrote: files of the user, of the target and of other servers. Nothing in
/// such data can be trusted: every reader here limits what it takes (bytes, nesting, values, length
/// of a line), and answers bad data with one kind of exception, {@link
/// dev.jdyno.foreign.Malformed}. Interprets nothing.
@NullMarked
package dev.jdyno.foreign;

import org.jspecify.annotations.NullMarked;
