package dev.jdyno.guard;

/// The verdict on a guarded figure.
public enum Verdict {
    OK("ok"),
    BETTER("better"),
    WORSE("worse"),
    /// The figure looks worse and was not measured again.
    SUSPECT("suspect"),
    /// The figure is worse today, but a single bad day can be chance. It counts as worse if the
    /// next day shows the same.
    NOTICE("notice"),
    /// The figure changed, and an earlier day reported that.
    REPORTED("reported"),
    UNCLEAR("unclear");

    private final String key;

    Verdict(String key) {
        this.key = key;
    }

    /// The key in `guard --json`.
    public String key() {
        return key;
    }
}
