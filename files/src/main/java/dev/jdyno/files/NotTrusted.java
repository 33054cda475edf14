package dev.jdyno.files;

import java.io.IOException;

/// A file of an unexpected kind, owner or size. The file was neither read nor written.
public final class NotTrusted extends IOException {
    private static final long serialVersionUID = 1;

    private final String name;
    private final String why;

    /// @param why completes "the file …": `belongs to uid 1001, not to 1000`
    public NotTrusted(String name, String why) {
        super(name + " " + why);
        this.name = name;
        this.why = why;
    }

    public String name() {
        return name;
    }

    public String why() {
        return why;
    }
}
