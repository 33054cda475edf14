package dev.jdyno.measure.service;

import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.text.Secrets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Limits the names of endpoints in windows of load, which may be kept for hours. The names come
/// from clients or from the service, and each reading has new texts. Here each name is short, the
/// number of names is limited, and all windows share one text for each name.
public final class EndpointNames {
    /// Maximum number of different names. Paths with names of customers or products could have any
    /// number.
    public static final int MAX = 200;

    /// Maximum length in characters. A longer name has no place in a line of the terminal.
    public static final int MAX_LENGTH = 100;

    private final Map<String, String> known = new HashMap<>();

    /// The shared text of a name, shortened; empty if it is new and there are enough names.
    public Optional<String> of(String name) {
        // first as it is: masking secrets takes long, and an access log has many lines
        Optional<String> same = Optional.ofNullable(known.get(name));
        return same.isPresent() ? same : ofShort(shortened(name));
    }

    private Optional<String> ofShort(String name) {
        return Optional.ofNullable(
                known.size() < MAX ? known.computeIfAbsent(name, n -> n) : known.get(name));
    }

    /// The name as one line of at most {@link #MAX_LENGTH} characters, with secrets masked.
    public static String shortened(String name) {
        String line = Printable.line(Secrets.text(name));
        return line.length() <= MAX_LENGTH ? line : line.substring(0, MAX_LENGTH - 1) + "…";
    }
}
