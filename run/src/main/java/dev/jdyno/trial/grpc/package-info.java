/// Turns the requests of a plan into calls of gRPC before they are sent.
@NullMarked
package dev.jdyno.trial.grpc;

import org.jspecify.annotations.NullMarked;
