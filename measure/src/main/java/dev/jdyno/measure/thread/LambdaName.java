package dev.jdyno.measure.thread;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Readable names of lambdas. Compilers put a lambda's body into a method of their own, whose name
/// no source contains: `Page.lambda$get$0` by javac, `Page.$anonfun$get$1` by scalac.
public final class LambdaName {
    private static final Pattern COMPILED =
            Pattern.compile("(?<type>.+)\\.(?:lambda\\$|\\$anonfun\\$)+(?<method>.+?)(?:\\$\\d+)+");

    private LambdaName() {}

    /// Returns `lambda in Page.get` for the name of a lambda, and any other name unchanged.
    ///
    /// @param name class and method, with or without the package
    public static String readable(String name) {
        Matcher m = COMPILED.matcher(name);
        if (!m.matches()) {
            return name;
        }
        String method =
                switch (m.group("method")) {
                    case "new" -> "<init>";
                    case "static" -> "<clinit>";
                    default -> m.group("method");
                };
        return "lambda in " + m.group("type") + "." + method;
    }
}
