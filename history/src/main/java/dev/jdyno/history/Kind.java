package dev.jdyno.history;

import java.util.Optional;
import java.util.stream.Stream;

/// The verb that made a stored result.
public enum Kind {
    RUN("run"),
    DIAGNOSE("diagnose"),
    COMPARE("compare"),
    TUNE("tune"),
    GUARD("guard");

    private final String key;

    Kind(String key) {
        this.key = key;
    }

    /// The verb's name.
    public String key() {
        return key;
    }

    public static Optional<Kind> of(String key) {
        return Stream.of(values()).filter(k -> k.key.equals(key)).findFirst();
    }
}
