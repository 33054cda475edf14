/// Processes that an experiment runs in addition to the lab's services: servers that are installed
/// on this machine, and programs that end by themselves.
@NullMarked
package dev.jdyno.experiment.server;

import org.jspecify.annotations.NullMarked;
