/// The life of the JVM under test: launch or attach, find it in a process tree, ask it over the
/// attach protocol, read what it publishes, end it. Interprets nothing.
@NullMarked
package dev.jdyno.target;

import org.jspecify.annotations.NullMarked;
