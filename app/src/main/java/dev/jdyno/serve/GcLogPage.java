package dev.jdyno.serve;

import java.io.IOException;
import java.io.InputStream;

/// Draws the page of a GC log.
@FunctionalInterface
public interface GcLogPage {
    /// @param source name of the log
    /// @throws dev.jdyno.measure.text.UserError when it is no GC log
    String html(String source, InputStream log) throws IOException;
}
