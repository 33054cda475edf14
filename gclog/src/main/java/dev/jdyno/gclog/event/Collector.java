package dev.jdyno.gclog.event;

/// The collector that wrote a log.
public enum Collector {
    SERIAL("Serial"),
    PARALLEL("Parallel"),
    CMS("CMS"),
    G1("G1"),
    ZGC("ZGC"),
    SHENANDOAH("Shenandoah"),
    EPSILON("Epsilon"),
    /// ParNew in front of the serial old collector (JDK 6–8).
    PARNEW("ParNew"),
    UNKNOWN("unknown");

    private final String key;

    Collector(String key) {
        this.key = key;
    }

    /// The name in JSON and on the terminal.
    public String key() {
        return key;
    }

    /// Whether its long work runs beside the application and its pauses are short steps.
    public boolean isPauseless() {
        return this == ZGC || this == SHENANDOAH;
    }

    /// Whether it has young, survivor and old spaces of fixed extent, as the serial family has.
    public boolean hasContiguousGenerations() {
        return this == SERIAL || this == PARALLEL || this == CMS || this == PARNEW;
    }
}
