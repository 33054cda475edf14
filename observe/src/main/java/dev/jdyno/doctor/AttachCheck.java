package dev.jdyno.doctor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Checks whether running JVMs can be listed and attached to. Both need the same user and the same
/// `/tmp` as the JVM.
///
/// HotSpot always uses `/tmp`, whatever the value of `java.io.tmpdir`; a container has its own
/// `/tmp`.
final class AttachCheck implements Check {
    private static final String FOLDER = "hsperfdata_";

    /// Any user can make files and folders in `/tmp`, so their names are checked.
    private static final Pattern USER = Pattern.compile("[\\w.][\\w.@-]{0,63}");

    private static final Pattern PID = Pattern.compile("\\d{1,10}");

    @Override
    public Finding check(Host host, CpuWindow window) {
        Path tmp = host.root().resolve("tmp");
        if (!Files.isWritable(tmp)) {
            return Finding.bad(
                    "attach",
                    "/tmp cannot be written: HotSpot's attach socket is made there",
                    "mount a writable /tmp that the target shares");
        }
        var jvms = jvmsByUser(tmp, host);
        Integer own = jvms.remove(host.user());
        if (own == null && !Files.isReadable(tmp.resolve(FOLDER + host.user()))) {
            return Finding.note(
                    "attach",
                    "no hsperfdata of " + host.user() + " in /tmp: running JVMs cannot be listed",
                    "run without -XX:-UsePerfData and with the target's /tmp");
        }
        String says =
                String.format(
                        Locale.ROOT,
                        "JVMs of %s can be attached to (%d besides this)",
                        host.user(),
                        own == null ? 0 : own);
        if (jvms.isEmpty() || host.user().equals("root")) {
            return Finding.ok("attach", says);
        }
        String others =
                jvms.entrySet().stream()
                        .map(e -> e.getKey() + " (" + e.getValue() + ")")
                        .collect(Collectors.joining(", "));
        return Finding.note(
                "attach",
                says + ", not those of " + others,
                "sudo -u " + jvms.firstKey() + " jdyno ... for a JVM of " + jvms.firstKey());
    }

    /// Number of JVMs besides this one by user, from `/tmp/hsperfdata_USER/PID`.
    private static NavigableMap<String, Integer> jvmsByUser(Path tmp, Host host) {
        var found = new TreeMap<String, Integer>();
        try (var folders = Files.newDirectoryStream(tmp, FOLDER + "*")) {
            for (Path folder : folders) {
                String user = folder.getFileName().toString().substring(FOLDER.length());
                boolean readable =
                        USER.matcher(user).matches()
                                && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                                && Files.isReadable(folder);
                int jvms = readable ? count(folder, host) : 0;
                if (jvms > 0) {
                    found.put(user, jvms);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    /// Number of running JVMs in the folder besides this one. A JVM that was killed leaves its
    /// file, and this JVM may run without one. Where `/proc` hides the processes of other users,
    /// all files count.
    private static int count(Path folder, Host host) throws IOException {
        Path proc = host.root().resolve("proc");
        try (var files = Files.list(folder)) {
            return (int)
                    files.map(f -> f.getFileName().toString())
                            .filter(name -> PID.matcher(name).matches())
                            .filter(pid -> !pid.equals(Long.toString(host.pid())))
                            .filter(pid ->
                                    !Files.exists(proc.resolve("1"))
                                            || Files.exists(proc.resolve(pid)))
                            .count();
        }
    }
}
