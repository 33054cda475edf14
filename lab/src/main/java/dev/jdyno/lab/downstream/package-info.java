/// The service that other services call: it answers after a given delay and uses almost no CPU.
@NullMarked
package dev.jdyno.lab.downstream;

import org.jspecify.annotations.NullMarked;
