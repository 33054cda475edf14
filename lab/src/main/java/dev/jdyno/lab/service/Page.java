package dev.jdyno.lab.service;

import java.io.IOException;

/// What one path of a service does for a request, on the request's own thread.
@FunctionalInterface
public interface Page {
    /// The body to answer with.
    ///
    /// @throws BadQuery answered as 400
    /// @throws IOException answered as 502: something this service calls failed
    String answer(Query query) throws IOException, InterruptedException;
}
