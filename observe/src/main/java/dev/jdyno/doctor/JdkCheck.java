package dev.jdyno.doctor;

import java.util.List;

/// Checks for a JDK, not only a runtime, of a version on which jdyno runs.
final class JdkCheck implements Check {
    private static final int MIN_VERSION = 25;
    private static final List<String> MODULES = List.of("jdk.attach", "jdk.jfr", "jdk.jcmd");

    @Override
    public Finding check(Host host, CpuWindow window) {
        String version = "JDK " + host.jdk();
        String fix = "install a full JDK 25 or newer and set JAVA_HOME to it";
        if (host.jdk().feature() < MIN_VERSION) {
            return Finding.bad("jdk", version + " is too old, 25 is needed", fix);
        }
        var missing = MODULES.stream().filter(m -> !host.hasModule().test(m)).toList();
        if (!missing.isEmpty()) {
            String says = version + " lacks " + String.join(", ", missing);
            return Finding.bad("jdk", says + ": targets cannot be looked into", fix);
        }
        return Finding.ok("jdk", version + " with attach, jcmd and JFR");
    }
}
