package dev.jdyno.lab.service;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// What one path of a service does for a request when it writes the reply by itself.
@FunctionalInterface
public interface RawPage {
    /// Writes head and body.
    ///
    /// @throws BadQuery answered as 400, before anything was written
    /// @throws IOException answered as 502 where nothing was written yet
    void answer(Query query, HttpServletResponse response) throws IOException, InterruptedException;
}
