/// The service of the experiments on request memory (E2, E5, E9, E18–E20).
@NullMarked
package dev.jdyno.lab.memory;

import org.jspecify.annotations.NullMarked;
