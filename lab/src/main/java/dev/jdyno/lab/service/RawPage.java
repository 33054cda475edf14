package dev.jdyno.lab.service;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Handles the requests of one path of a service, and writes the response itself.
@FunctionalInterface
public interface RawPage {
    /// Writes the head and body of the response.
    ///
    /// @throws BadQuery answered as 400; thrown before anything is written
    /// @throws IOException answered as 502 if nothing has been written yet
    void answer(Query query, HttpServletResponse response) throws IOException, InterruptedException;
}
