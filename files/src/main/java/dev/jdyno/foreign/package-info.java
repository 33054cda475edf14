/// Reads data from untrusted sources: files of the user, of the target and of other servers. Every
/// reader here limits its input (bytes, nesting, values, length of a line), and reports bad data
/// with one kind of exception, {@link dev.jdyno.foreign.Malformed}. Interprets nothing.
@NullMarked
package dev.jdyno.foreign;

import org.jspecify.annotations.NullMarked;
