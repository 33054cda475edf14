package dev.jdyno.doctor;

import dev.jdyno.measure.text.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/// Checks the space for recordings and GC logs in their folders, and whether native libraries can
/// be loaded from the temporary folder.
final class SpaceCheck implements Check {
    private static final Bytes LITTLE = Bytes.mebi(1024);
    private static final Bytes TOO_LITTLE = Bytes.mebi(100);

    @Override
    public Finding check(Host host, CpuWindow window) {
        Bytes min = new Bytes(Long.MAX_VALUE);
        Path where = host.temp();
        for (Path folder : folders(host)) {
            if (!Files.isWritable(folder)) {
                return Finding.bad(
                        "space", folder + " cannot be written", "run in a folder of your own");
            }
            Bytes free;
            try {
                free = new Bytes(Files.getFileStore(folder).getUsableSpace());
            } catch (IOException e) {
                return Finding.unseen("space", "no figure for " + folder + ": " + e.getMessage());
            }
            if (free.compareTo(min) < 0) {
                min = free;
                where = folder;
            }
        }
        return judge(host, min, where);
    }

    private static Finding judge(Host host, Bytes free, Path where) {
        String says = free + " free in " + where;
        String fix = "make room, or give --out a folder on another disk";
        if (free.compareTo(TOO_LITTLE) < 0) {
            return Finding.bad("space", says + ": a recording will not fit", fix);
        }
        if (free.compareTo(LITTLE) < 0) {
            return Finding.note("space", says + ": little for recordings and GC logs", fix);
        }
        if (noExec(host).isPresent()) {
            return Finding.note(
                    "space",
                    host.temp() + " is mounted noexec: native libraries cannot load from it",
                    "JDYNO_OPTS=-Djava.io.tmpdir=FOLDER with a folder that allows it");
        }
        return Finding.ok("space", says);
    }

    private static Set<Path> folders(Host host) {
        Set<Path> folders = new LinkedHashSet<>();
        folders.add(host.temp());
        folders.add(host.here());
        return folders;
    }

    /// The mount options of the temporary folder if they forbid execution.
    private static Optional<String> noExec(Host host) {
        // tmpfs /tmp tmpfs rw,nosuid,nodev,noexec 0 0
        String options = "";
        int longest = -1;
        for (String line : host.text("proc/mounts").orElse("").lines().toList()) {
            String[] fields = line.split(" ");
            if (fields.length >= 4
                    && host.temp().startsWith(fields[1])
                    && fields[1].length() >= longest) {
                longest = fields[1].length();
                options = fields[3];
            }
        }
        return Optional.of(options).filter(o -> Set.of(o.split(",")).contains("noexec"));
    }
}
