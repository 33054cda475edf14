/// The work of a request: using CPU time, and calling another service.
@NullMarked
package dev.jdyno.lab.work;

import org.jspecify.annotations.NullMarked;
