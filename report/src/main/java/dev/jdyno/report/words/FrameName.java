package dev.jdyno.report.words;

import java.util.regex.Pattern;

/// Names of frames in flame graphs: Java's `package.Class.method`, C++'s `Class::method`, and C's,
/// whose dots are the compiler's (`f.isra.0`, `f.cold`) or those of a version (`f@@GLIBC_2.2.5`).
public final class FrameName {
    /// Names between dots, none of which begins with a digit but the address of a hidden class, and
    /// nothing that Java does not name by: no `@`, no `[k]` of the kernel, no `::`.
    private static final Pattern JAVA =
            Pattern.compile(
                    "[^\\d\\s.@\\[:(][^\\s.@\\[:(]*(\\.([^\\d\\s.@\\[:(]|0x)[^\\s.@\\[:(]*)+");

    /// What compilers of C put behind the name of a function that they split or changed.
    private static final Pattern SPLIT = Pattern.compile(".*\\.(cold|part|isra|constprop)");

    private static final Pattern VERSION = Pattern.compile("@@?\\p{Upper}.*");

    private FrameName() {}

    public static boolean isJava(String frame) {
        return JAVA.matcher(frame).matches() && !SPLIT.matcher(frame).matches();
    }

    /// `Page.get` of `com.acme.Page.get`; a native name without the version of its symbol.
    public static String brief(String frame) {
        if (!isJava(frame)) {
            return VERSION.matcher(frame).replaceFirst("");
        }
        int type = frame.lastIndexOf('.', frame.lastIndexOf('.') - 1);
        if (frame.startsWith("0x", type + 1)) {
            // a hidden class: its name stands before its address
            type = frame.lastIndexOf('.', type - 1);
        }
        return frame.substring(type + 1);
    }
}
