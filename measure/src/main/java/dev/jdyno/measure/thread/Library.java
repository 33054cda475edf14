package dev.jdyno.measure.thread;

import java.util.List;

/// A library or framework, with those of its frames that stand in the flame graphs of a result.
///
/// @param name as `frames.txt` has it, or the packages that it is known by
/// @param frames `class.method`
public record Library(String name, List<String> frames) {
    public Library {
        frames = List.copyOf(frames);
    }
}
