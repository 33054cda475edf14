package dev.jdyno.guard;

/// What is said of a guarded figure.
public enum Verdict {
    OK("ok"),
    BETTER("better"),
    WORSE("worse"),
    /// Looks worse, and was not measured again.
    SUSPECT("suspect"),
    /// Worse today, of a figure that single days can spoil: it counts once the next day shows it,
    /// too.
    NOTICE("notice"),
    /// It changed, and that was reported on an earlier day.
    REPORTED("reported"),
    UNCLEAR("unclear");

    private final String key;

    Verdict(String key) {
        this.key = key;
    }

    /// As it stands in `guard --json`.
    public String key() {
        return key;
    }
}
