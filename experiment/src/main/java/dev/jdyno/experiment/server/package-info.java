/// Processes that an experiment runs beside its own services: servers that are installed on this
/// machine, and programs that end by themselves.
@NullMarked
package dev.jdyno.experiment.server;

import org.jspecify.annotations.NullMarked;
