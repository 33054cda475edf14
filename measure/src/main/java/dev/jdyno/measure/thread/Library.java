package dev.jdyno.measure.thread;

import java.util.List;

/// A library or framework, with its frames in the flame graphs of a result.
///
/// @param name name in `frames.txt`, or the packages that identify it
/// @param frames `class.method`
public record Library(String name, List<String> frames) {
    public Library {
        frames = List.copyOf(frames);
    }
}
