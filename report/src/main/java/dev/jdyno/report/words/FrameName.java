package dev.jdyno.report.words;

import java.util.regex.Pattern;

/// Names of frames in flame graphs: `package.Class.method` of Java, `Class::method` of C++, and
/// names of C. The dots of a C name come from the compiler (`f.isra.0`, `f.cold`) or from a version
/// (`f@@GLIBC_2.2.5`).
public final class FrameName {
    /// A Java name: parts between dots that do not begin with a digit, except the address of a
    /// hidden class. Characters that Java does not use are excluded: `@`, the `[k]` of the kernel,
    /// `::`.
    private static final Pattern JAVA =
            Pattern.compile(
                    "[^\\d\\s.@\\[:(][^\\s.@\\[:(]*(\\.([^\\d\\s.@\\[:(]|0x)[^\\s.@\\[:(]*)+");

    /// Suffixes that C compilers add to the name of a function that they split or changed.
    private static final Pattern SPLIT = Pattern.compile(".*\\.(cold|part|isra|constprop)");

    private static final Pattern VERSION = Pattern.compile("@@?\\p{Upper}.*");

    private FrameName() {}

    public static boolean isJava(String frame) {
        return JAVA.matcher(frame).matches() && !SPLIT.matcher(frame).matches();
    }

    /// The short name of a frame: `Page.get` for `com.acme.Page.get`; a native name without its
    /// symbol version.
    public static String brief(String frame) {
        if (!isJava(frame)) {
            return VERSION.matcher(frame).replaceFirst("");
        }
        int type = frame.lastIndexOf('.', frame.lastIndexOf('.') - 1);
        if (frame.startsWith("0x", type + 1)) {
            // The name of a hidden class comes before its address.
            type = frame.lastIndexOf('.', type - 1);
        }
        return frame.substring(type + 1);
    }
}
