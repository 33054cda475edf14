/// `run --otlp`: sends the figures of each round and the verdict to an OpenTelemetry collector, by
/// OTLP over HTTP in its JSON encoding. A collector that does not answer never ends a run.
@NullMarked
package dev.jdyno.otlp;

import org.jspecify.annotations.NullMarked;
