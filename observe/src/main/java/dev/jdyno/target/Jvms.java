package dev.jdyno.target;

import dev.jdyno.measure.text.UserError;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.List;

/// Distinguishes JVMs from other processes by the virtual machine's library in their memory map.
final class Jvms {
    enum Kind {
        HOTSPOT,
        /// OpenJ9: it answers SIGQUIT with a core file, so it must never receive one.
        OPENJ9,
        NOT_A_JVM,
        /// The memory map of another user's process cannot be read.
        NOT_OURS,
        GONE;

        boolean isJvm() {
            return this == HOTSPOT || this == OPENJ9;
        }
    }

    private final ProcFs proc;

    Jvms(ProcFs proc) {
        this.proc = proc;
    }

    Kind kindOf(long pid) {
        // 7f2c8a600000-7f2c8b9c1000 r-xp 00223000 08:01 131 /usr/lib/jvm/…/server/libjvm.so
        try (BufferedReader maps =
                Files.newBufferedReader(proc.of(pid, "maps"), StandardCharsets.ISO_8859_1)) {
            Kind kind = Kind.NOT_A_JVM;
            for (String line = maps.readLine(); line != null; line = maps.readLine()) {
                if (line.contains("/libj9vm")) {
                    return Kind.OPENJ9;
                }
                if (line.contains("/libjvm.so")) {
                    kind = Kind.HOTSPOT;
                }
            }
            return kind;
        } catch (NoSuchFileException gone) {
            return Kind.GONE;
        } catch (AccessDeniedException notOurs) {
            return Kind.NOT_OURS;
        } catch (IOException other) {
            // the kernel reports "no such process" or "permission denied" only on reading
            return proc.exists(pid) ? Kind.NOT_OURS : Kind.GONE;
        }
    }

    /// @throws UserError with the reason why `pid` cannot be observed as a JVM
    void requireHotSpot(long pid) {
        String process = "process " + pid;
        switch (kindOf(pid)) {
            case HOTSPOT -> {}
            case GONE ->
                    throw UserError.usage(
                            "no process " + pid,
                            "nothing runs under this process id",
                            "list the JVMs with 'jdyno ps'");
            case NOT_A_JVM ->
                    throw UserError.usage(
                            process + " is not a JVM",
                            "it is '" + commandOf(pid) + "' and has no libjvm.so in its memory",
                            "give the id of the java process itself ('jdyno ps')");
            case OPENJ9 ->
                    throw UserError.usage(
                            process + " is an OpenJ9 JVM",
                            "the attach signal would make it write a core file",
                            "run the service on a HotSpot JVM, or use --no-target");
            case NOT_OURS ->
                    throw UserError.target(
                            process + " belongs to another user",
                            "its memory map may not be read (it runs as uid "
                                    + proc.effectiveUid(pid).stream()
                                            .mapToObj(Long::toString)
                                            .findFirst()
                                            .orElse("unknown")
                                    + ")",
                            "run jdyno as that user or as root, or use --no-target");
        }
    }

    /// The JVMs among processes, in their order.
    List<Long> among(List<Long> processes) {
        return processes.stream().filter(pid -> kindOf(pid) == Kind.HOTSPOT).toList();
    }

    private String commandOf(long pid) {
        return proc.text(pid, "cmdline")
                .map(c -> c.replace('\0', ' ').trim())
                .map(c -> c.length() > 80 ? c.substring(0, 80) + "…" : c)
                .orElse("?");
    }
}
