package dev.jdyno.warm;

import java.util.Arrays;
import java.util.Optional;

/// A way that may shorten the warm-up of a service.
public enum Way {
    AOT("aot", "AOT cache: classes, profiles and linked state of an earlier run (JDK 25)"),
    CDS("cds", "CDS archive of the application's classes (JDK 13)"),
    CALLS("calls", "calls before the traffic, one at a time"),
    C1("c1", "-XX:TieredStopAtLevel=1: no C2 at all, a bound and no recommendation"),
    FEW("few", "fewer requests at first");

    private final String key;
    private final String title;

    Way(String key, String title) {
        this.key = key;
        this.title = title;
    }

    /// The way's name in `--try` and in JSON.
    public String key() {
        return key;
    }

    public String title() {
        return title;
    }

    /// True if the way may be used in production. It is false without C2, because full speed is
    /// then lower.
    public boolean isRecommended() {
        return this != C1;
    }

    public static Optional<Way> of(String key) {
        return Arrays.stream(values()).filter(w -> w.key.equals(key)).findFirst();
    }
}
