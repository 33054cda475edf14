/// A process that makes threads until it cannot make more (E4).
@NullMarked
package dev.jdyno.lab.threads;

import org.jspecify.annotations.NullMarked;
