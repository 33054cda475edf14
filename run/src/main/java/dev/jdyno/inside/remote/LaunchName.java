package dev.jdyno.inside.remote;

import java.util.regex.Pattern;

/// The form of the names that an agent gives to its launch commands. A run sends only such a name,
/// and no other part of a command.
public final class LaunchName {
    /// The form, for messages to users.
    public static final String FORM = "1 to 40 letters, digits, '.', '-' and '_'";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,39}");

    private LaunchName() {}

    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }
}
