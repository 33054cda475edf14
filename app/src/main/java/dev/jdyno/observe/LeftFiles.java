package dev.jdyno.observe;

import dev.jdyno.target.ProcFs;
import dev.jdyno.target.ToolMark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Files that killed jdynos left in a `/tmp`: GC logs, settings, recordings, profiles, thread
/// dumps. A later run removes them once their jdyno lives no more and no process holds them open: a
/// JVM that still writes its log goes on until a run on that JVM switches the log off.
///
/// The profiler's library stays: the JVMs that have it mapped do not hold it open.
final class LeftFiles {
    // jdyno-1234t5678-gc.log, jdyno-1234t5678-gc.log.0, jdyno-1234t5678.jfc,
    // jdyno-1234t5678-stages.jfr, jdyno-1234t5678-profile.collapsed
    private static final Pattern OF_A_TOOL =
            Pattern.compile(
                    "jdyno-("
                            + ToolMark.PATTERN
                            + ")(-gc\\.log(\\.\\d)?|(-stages|-old|-thrown)?\\.jf[cr]|-profile\\.\\w+)");

    // jdyno-threads-4711.json, jdyno-async-profiler-4711.log: here the number is the target's
    private static final Pattern OF_A_TARGET =
            Pattern.compile(
                    "jdyno-(?:threads-(\\d{1,10})\\.json|async-profiler-(\\d{1,10})\\.log)");

    private LeftFiles() {}

    /// @return the names of those removed
    static List<String> remove(Path tmp, ProcFs proc) {
        List<Path> left = new ArrayList<>();
        try (var files = Files.newDirectoryStream(tmp, "jdyno-*")) {
            for (Path file : files) {
                if (isLeft(file.getFileName().toString(), proc)
                        && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    left.add(file);
                }
            }
        } catch (IOException unreadable) {
            // then nothing can be removed either
            return List.of();
        }
        Set<Object> open = left.isEmpty() ? Set.of() : openFiles(proc);
        List<String> removed = new ArrayList<>();
        for (Path file : left) {
            try {
                if (!open.contains(identity(file)) && Files.deleteIfExists(file)) {
                    removed.add(file.getFileName().toString());
                }
            } catch (IOException notOurs) {
                // another user's: that user's next run removes it
            }
        }
        return removed;
    }

    private static boolean isLeft(String name, ProcFs proc) {
        Matcher tool = OF_A_TOOL.matcher(name);
        Matcher target = OF_A_TARGET.matcher(name);
        if (tool.matches()) {
            return !ToolMark.parse(tool.group(1)).lives(proc);
        }
        if (!target.matches()) {
            return false;
        }
        String pid = target.group(1) == null ? target.group(2) : target.group(1);
        return !proc.exists(Long.parseLong(pid));
    }

    /// What every process that may be looked at holds open: device and inode, which are the same
    /// whatever name a container gives the file.
    private static Set<Object> openFiles(ProcFs proc) {
        Set<Object> open = new HashSet<>();
        for (long pid : proc.pids()) {
            try (var fds = Files.newDirectoryStream(proc.of(pid, "fd"))) {
                for (Path fd : fds) {
                    try {
                        open.add(identity(fd));
                    } catch (IOException closedMeanwhile) {
                        // then it does not hold it open
                    }
                }
            } catch (IOException endedOrNotOurs) {
                // another user's files are not ours to delete either
            }
        }
        return open;
    }

    private static Object identity(Path file) throws IOException {
        return Files.getAttribute(file, "unix:dev") + ":" + Files.getAttribute(file, "unix:ino");
    }
}
