package dev.jdyno.measure.gc;

import java.util.stream.Stream;

/// The collector of a JVM.
public enum Collector {
    SERIAL("Serial"),
    PARALLEL("Parallel"),
    CMS("CMS"),
    G1("G1"),
    ZGC("ZGC"),
    SHENANDOAH("Shenandoah"),
    EPSILON("Epsilon"),
    /// The collector of JDK 6–8 that uses ParNew for the young and the serial collector for the old
    /// generation.
    PARNEW("ParNew"),
    UNKNOWN("unknown");

    private final String key;

    Collector(String key) {
        this.key = key;
    }

    /// The collector whose key begins with this name; {@link #UNKNOWN} if none does. JVMs and their
    /// flags use such names: `G1`, `ZGC`, `Z`.
    public static Collector named(String name) {
        return Stream.of(values())
                .filter(c ->
                        !name.isBlank() && c.key.regionMatches(true, 0, name, 0, name.length()))
                .findFirst()
                .orElse(UNKNOWN);
    }

    /// The name in JSON and on the terminal.
    public String key() {
        return key;
    }

    /// True if the long work of the collector runs concurrently with the application, and its
    /// pauses are short steps.
    public boolean isPauseless() {
        return this == ZGC || this == SHENANDOAH;
    }

    /// True if the collector has young, survivor and old spaces with contiguous addresses, as the
    /// serial family has.
    public boolean hasContiguousGenerations() {
        return this == SERIAL || this == PARALLEL || this == CMS || this == PARNEW;
    }
}
