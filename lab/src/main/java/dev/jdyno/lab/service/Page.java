package dev.jdyno.lab.service;

import java.io.IOException;

/// Handles the requests of one path of a service, on the request's own thread.
@FunctionalInterface
public interface Page {
    /// Returns the body of the answer.
    ///
    /// @throws BadQuery answered as 400
    /// @throws IOException answered as 502: a service that this one calls failed
    String answer(Query query) throws IOException, InterruptedException;
}
