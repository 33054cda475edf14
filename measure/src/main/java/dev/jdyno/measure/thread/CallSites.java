package dev.jdyno.measure.thread;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Optional;

/// Lines of one method of the application at which threads wait for the same service. A request
/// that executes these lines one after the other makes a call at each line. A call in a loop has
/// only one line, so no call sites are recorded for it.
///
/// @param method `com.acme.Page.get`
/// @param file `Page.java`; empty if no dump named it
/// @param lines two or more, in ascending order
/// @param threads mean number of threads that wait at one of these lines
public record CallSites(String method, Optional<String> file, List<Line> lines, double threads) {
    /// One of the lines.
    ///
    /// @param number number of the line, from 1
    /// @param share share of the threads at this line, 0…1; the shares of all lines add up to 1
    public record Line(int number, double share) {}

    public CallSites {
        lines = List.copyOf(lines);
    }

    /// The method with all its lines, `Page.get (Page.java:12, 14)`; the class is named without its
    /// package.
    public String text() {
        String numbers = lines.stream().map(l -> String.valueOf(l.number())).collect(joining(", "));
        return place(numbers);
    }

    /// The method with one of its lines: `Page.get (Page.java:12)`.
    public String text(Line line) {
        return place(String.valueOf(line.number()));
    }

    private String place(String numbers) {
        return shortMethod()
                + " ("
                + file.map(f -> f + ":").orElse(lines.size() == 1 ? "line " : "lines ")
                + numbers
                + ")";
    }

    private String shortMethod() {
        int name = method.lastIndexOf('.');
        return method.substring(name < 0 ? 0 : method.lastIndexOf('.', name - 1) + 1);
    }

    /// The share of the threads at the line with the most threads, 0…1.
    public double largest() {
        return lines.stream().mapToDouble(Line::share).max().orElse(1);
    }

    /// The same lines with another number of threads.
    public CallSites withThreads(double others) {
        return new CallSites(method, file, lines, others);
    }
}
