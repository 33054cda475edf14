package dev.jdyno.measure.thread;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A method of a class of the target, for any parameter types. It contains only characters that are
/// valid in names, so it is safe in settings and options of profilers.
///
/// @param type the class's binary name, such as `com.acme.Foo$Bar`
/// @param method such as `bar` or `<init>`
public record MethodName(String type, String method) {
    private static final int MAX_LENGTH = 300;
    private static final Pattern TYPE = Pattern.compile("([\\w$]+\\.)*[\\w$]+");
    private static final Pattern METHOD = Pattern.compile("<init>|[\\p{Alpha}_$][\\w$]*");
    private static final Pattern WHOLE = Pattern.compile("(.+)(?:\\.|::)([^.:]+)");

    public MethodName {
        if (type.length() + method.length() > MAX_LENGTH
                || !TYPE.matcher(type).matches()
                || !METHOD.matcher(method).matches()) {
            throw none(type + "." + method);
        }
    }

    /// Reads `com.acme.Foo.bar` or `com.acme.Foo::bar`. The name of an inner class has a `$`.
    ///
    /// @throws IllegalArgumentException if the text has neither form
    public static MethodName parse(String text) {
        Matcher m = WHOLE.matcher(text.strip());
        if (!m.matches()) {
            throw none(text);
        }
        try {
            return new MethodName(m.group(1), m.group(2));
        } catch (IllegalArgumentException e) {
            throw none(text);
        }
    }

    private static IllegalArgumentException none(String text) {
        return new IllegalArgumentException(
                "'" + text + "' is no method with its class, such as com.acme.Foo.bar");
    }

    /// As `com.acme.Foo.bar`.
    @Override
    public String toString() {
        return type + "." + method;
    }
}
