/// A process that creates threads until it cannot create another one (E4).
@NullMarked
package dev.jdyno.lab.threads;

import org.jspecify.annotations.NullMarked;
