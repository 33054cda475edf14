package dev.jdyno.measure.thread;

import java.util.Optional;

/// The source line at which a method was found most often.
///
/// @param method `com.acme.Page.get`, as frames of dumps and recordings name it
/// @param file `Page.java`; empty if no dump named it (flight recordings do not)
/// @param line number of the line, from 1
/// @param samples stacks with the method at this line
public record SourceLine(String method, Optional<String> file, int line, long samples) {
    /// `Page.java:12`, or `line 12`.
    public String text() {
        return file.map(f -> f + ":" + line).orElse("line " + line);
    }

    /// `Page.get (Page.java:12)`: the class without its package.
    public String place() {
        int name = method.lastIndexOf('.');
        int type = name < 0 ? -1 : method.lastIndexOf('.', name - 1);
        return LambdaName.readable(method.substring(type + 1)) + " (" + text() + ")";
    }
}
