package dev.jdyno.target;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The process that holds a lock, as far as it is visible.
///
/// @param command program and verb, never its arguments: they may contain secrets
/// @param since start time of that process
public record LockHolder(
        Optional<Long> pid,
        Optional<String> user,
        Optional<String> command,
        Optional<Instant> since) {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);

    /// Maximum length of a program's name, which the target's user can choose.
    private static final int LONGEST_NAME = 40;

    static LockHolder of(ProcFs proc, Optional<Long> pid) {
        Optional<ProcessHandle.Info> info = pid.flatMap(ProcessHandle::of).map(ProcessHandle::info);
        return new LockHolder(
                pid,
                info.flatMap(ProcessHandle.Info::user),
                pid.flatMap(p -> proc.text(p, "cmdline")).flatMap(LockHolder::command),
                info.flatMap(ProcessHandle.Info::startInstant));
    }

    /// The known facts of a process.
    public static LockHolder ofProcess(long pid) {
        return of(ProcFs.SYSTEM, Optional.of(pid));
    }

    /// `jdyno run` for a jdyno process, the program's name for any other.
    ///
    /// @param cmdline content of `/proc/PID/cmdline`
    static Optional<String> command(String cmdline) {
        List<String> words = Arrays.asList(cmdline.split("\0"));
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (word.endsWith("jdyno.jar") || word.equals("dev.jdyno.cli.Main")) {
                return Optional.of(
                        "jdyno"
                                + words.stream()
                                        .skip(i + 1L)
                                        .findFirst()
                                        .filter(verb -> verb.matches("[a-z]{1,20}"))
                                        .map(verb -> " " + verb)
                                        .orElse(""));
            }
        }
        return Optional.of(words.getFirst())
                .filter(w -> !w.isBlank())
                .map(w -> w.substring(w.lastIndexOf('/') + 1))
                .map(w -> w.replaceAll("[^A-Za-z0-9._+-]", "?"))
                .map(w -> w.length() > LONGEST_NAME ? w.substring(0, LONGEST_NAME) : w);
    }

    /// The holder in words: `jdyno run (process 812, user root, since 2026-11-25 17:21:30)`.
    public String says() {
        if (pid.isEmpty()) {
            return "a process that cannot be seen from here";
        }
        return command.orElse("a program")
                + " (process "
                + pid.get()
                + user.map(u -> ", user " + u).orElse("")
                + since.map(s -> ", since " + TIME.format(s.atZone(ZoneId.systemDefault())))
                        .orElse("")
                + ")";
    }
}
