/// The life of the JVM under test: launch or attach, find it in a process tree, send commands over
/// the attach protocol, read the data it publishes, end it. Interprets nothing.
@NullMarked
package dev.jdyno.target;

import org.jspecify.annotations.NullMarked;
