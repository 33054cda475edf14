package dev.jdyno.cli;

import java.util.List;

/// Services that a test's jdyno started and did not end.
final class StillRunning {
    private StillRunning() {}

    /// @param mainClass of the service; those of tests beside this one do not count
    /// @return their command lines
    static List<String> of(String mainClass) {
        return ProcessHandle.current()
                .descendants()
                .filter(ProcessHandle::isAlive)
                .flatMap(p -> p.info().commandLine().stream())
                .filter(line -> line.contains(mainClass))
                .toList();
    }
}
