/// The service that others call: answers after a given delay and costs next to no CPU.
@NullMarked
package dev.jdyno.lab.downstream;

import org.jspecify.annotations.NullMarked;
