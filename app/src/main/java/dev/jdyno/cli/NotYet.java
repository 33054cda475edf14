package dev.jdyno.cli;

import dev.jdyno.measure.text.UserError;
import java.util.List;

/// What a verb says that is named in the contract and not built yet.
final class NotYet {
    private NotYet() {}

    /// @param arguments what the user gave it
    static UserError verb(String verb, List<String> arguments) {
        return UserError.usage(
                ("jdyno " + verb + " " + String.join(" ", arguments)).trim() + " is not built yet",
                "this version of jdyno names the verb but does not have it",
                "see CHANGELOG.md for what works in this version");
    }
}
