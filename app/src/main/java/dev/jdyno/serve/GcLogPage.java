package dev.jdyno.serve;

import java.io.IOException;
import java.io.InputStream;

/// Renders the page of a GC log.
@FunctionalInterface
public interface GcLogPage {
    /// @param source name of the log
    /// @throws dev.jdyno.measure.text.UserError if it is not a GC log
    String html(String source, InputStream log) throws IOException;
}
