/// The labelled benchmark: services with one planted bottleneck each, and how often the diagnosis
/// names it.
@NullMarked
package dev.jdyno.experiment.labelled;

import org.jspecify.annotations.NullMarked;
