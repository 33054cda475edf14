package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.CannotStart;
import dev.jdyno.lab.service.Running;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;

/// Each request looks up a new host name at a name server that answers late.
final class Dns implements Case {
    private static final Path RESOLVER = Path.of("/etc/resolv.conf");

    private static final int PORT = 53;

    @Override
    public Label label() {
        return Label.of("dns", "dns", 20, "", "each request looks up a new name, answered late")
                .also("load")
                .needs("mount namespace with a resolv.conf of 127.0.0.1 only, see docs/planted.md");
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        int millis = caseSetup.vary().between("lookupMs", 30, 90);
        requireOwnResolver();
        caseSetup.closing(LateNameServer.start(PORT, millis));
        return caseSetup.serve(query -> {
            long name = ThreadLocalRandom.current().nextLong(Long.MAX_VALUE);
            return lookUp("host-" + name + ".lab.test.") + "\n";
        });
    }

    private static String lookUp(String name) {
        try {
            return InetAddress.getByName(name).toString();
        } catch (UnknownHostException e) {
            // the server knows no names; only the lookup matters
            return "no host " + name;
        }
    }

    private static void requireOwnResolver() throws IOException {
        boolean ours =
                Files.readAllLines(RESOLVER).stream()
                        .map(String::trim)
                        .filter(line -> line.startsWith("nameserver"))
                        .allMatch(line -> line.matches("nameserver\\s+127\\.0\\.0\\.1"));
        if (!ours) {
            throw new CannotStart(
                    "the host's own name server would be asked",
                    RESOLVER + " names another server than 127.0.0.1",
                    "start it in a mount namespace with a resolv.conf of its own: docs/planted.md");
        }
    }
}
