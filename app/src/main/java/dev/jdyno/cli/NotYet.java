package dev.jdyno.cli;

import dev.jdyno.measure.UserError;

/// What a verb says that is named in the contract and not built yet.
final class NotYet {
    private NotYet() {}

    static UserError verb(String verb) {
        return UserError.usage(
                "jdyno " + verb + " is not built yet",
                "this version of jdyno names the verb but does not have it",
                "see CHANGELOG.md for what works in this version");
    }
}
