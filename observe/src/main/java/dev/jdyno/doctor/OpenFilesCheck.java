package dev.jdyno.doctor;

import java.util.regex.Pattern;

/// Checks the limit of file descriptors: each connection of the client needs one.
final class OpenFilesCheck implements Check {
    private static final int COMFORTABLE = 4096;
    private static final int MIN = 1024;

    // Max open files            20000                20000                files
    private static final Pattern LIMIT =
            Pattern.compile("(?m)^Max open files +(\\d{1,18}|unlimited) ");

    @Override
    public Finding check(Host host, CpuWindow window) {
        var m = LIMIT.matcher(host.text("proc/self/limits").orElse(""));
        if (!m.find()) {
            return Finding.unseen("open-files", "no /proc/self/limits");
        }
        if (m.group(1).equals("unlimited")) {
            return Finding.ok("open-files", "no limit");
        }
        long limit = Long.parseLong(m.group(1));
        String says = limit + " open files allowed";
        String fix = "ulimit -n 65536 (and LimitNOFILE of a service)";
        if (limit < MIN) {
            return Finding.bad(
                    "open-files", says + ": rounds of hundreds of connections fail", fix);
        }
        return limit < COMFORTABLE
                ? Finding.note("open-files", says + ": at most that many connections", fix)
                : Finding.ok("open-files", says);
    }
}
