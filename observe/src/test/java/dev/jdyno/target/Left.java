package dev.jdyno.target;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/// Creates folders as a jdyno leaves them after SIGKILL.
public final class Left {
    private Left() {}

    /// @param tool mark of that jdyno
    /// @param purpose `run`, `profiler` or `pools`
    /// @param target mark of its target
    public static Path by(Object tool, String purpose, String target) throws IOException {
        return in(Path.of("/tmp"), tool, purpose, target);
    }

    static Path in(Path tmp, Object tool, String purpose, String target) throws IOException {
        Path folder =
                tmp.resolve("jdyno-" + tool + "-" + purpose + "-" + target + "-0123456789abcdef");
        return Files.createDirectory(
                folder,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    /// Content of the folder that a running jdyno shares with its target.
    public static List<Path> in(Target target) throws IOException {
        try (var all = Files.list(Path.of(target.shared().seenByTarget("")))) {
            return all.toList();
        }
    }

    public static String mark(Target target) {
        return new ToolMark(target.pid(), ProcFs.SYSTEM.startTicks(target.pid())).toString();
    }
}
