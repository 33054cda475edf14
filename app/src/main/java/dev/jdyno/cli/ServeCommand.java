package dev.jdyno.cli;

import dev.jdyno.cli.gc.GcPages;
import dev.jdyno.cli.options.AtFile;
import dev.jdyno.cli.options.StoreOption;
import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.cli.terminal.Version;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.serve.Server;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// The stored results in a browser.
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        description = {
            "Show the stored results in a browser: runs, figures over time, any two compared.",
            "",
            "JSON is under /api (description: /api/openapi.json), the newest figures are under"
                    + " /metrics. Read only."
        },
        footer = {
            "",
            "Examples:",
            "  jdyno serve",
            "  jdyno serve --listen 0.0.0.0:7070 --token @token.txt",
        })
final class ServeCommand implements Callable<Integer> {
    private static final int LEAST_TOKEN = 16;
    private static final int MOST_PORT = 65_535;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description =
                    "Where (default 127.0.0.1:7070; port 0 is a free one). Anything but the"
                            + " loopback device needs a token.")
    private String listen = "127.0.0.1:7070";

    @Option(
            names = "--token",
            paramLabel = "TEXT|@FILE",
            description =
                    "What every request must give, as Authorization: Bearer, or once as ?token=; at"
                            + " least 16 letters.")
    private @Nullable String token;

    @Mixin private StoreOption store = new StoreOption();

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        var problems = new Problems();
        Optional<HostPort> at = HostPort.of(listen);
        if (at.isEmpty()) {
            problems.add("--listen " + listen, "is no HOST:PORT", "write 127.0.0.1:7070");
        }
        Optional<String> secret =
                token == null
                        ? Optional.empty()
                        : AtFile.text("--token", token, problems).map(String::strip);
        if (secret.filter(s -> s.length() < LEAST_TOKEN).isPresent()) {
            problems.add(
                    "--token",
                    "has fewer than " + LEAST_TOKEN + " letters, which can be guessed",
                    "write one with openssl rand -hex 16");
        }
        if (secret.isEmpty() && at.filter(ServeCommand::isOpen).isPresent()) {
            problems.add(
                    "--listen " + listen,
                    "other machines reach it, and nothing asks who they are",
                    "listen at 127.0.0.1, or write a secret into a file and give its name, after"
                            + " an @, to --token");
        }
        problems.throwIfAny("the command line");
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        try (var interrupt = new Interrupt();
                Server server =
                        Server.start(
                                at.orElseThrow().host(),
                                at.orElseThrow().port(),
                                secret,
                                store.open(),
                                Optional.empty(),
                                GcPages::html,
                                Version.text())) {
            out.println("serving " + server.url() + (secret.isPresent() ? "?token=…" : ""));
            out.flush();
            interrupt.await();
        }
        return 0;
    }

    /// Whether others than this machine's processes reach it.
    private static boolean isOpen(HostPort at) {
        try {
            return !InetAddress.getByName(at.host()).isLoopbackAddress();
        } catch (UnknownHostException unknown) {
            return true;
        }
    }

    /// Where to listen.
    ///
    /// @param host a name or an address, an IPv6 address without brackets
    record HostPort(String host, int port) {
        private static final Pattern FORM =
                Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)]|([^:\\[\\]]+)):(\\d{1,5})");

        /// @return empty when it is no `HOST:PORT`, or an IPv6 address without brackets
        static Optional<HostPort> of(String text) {
            Matcher form = FORM.matcher(text);
            if (!form.matches() || Integer.parseInt(form.group(3)) > MOST_PORT) {
                return Optional.empty();
            }
            String host = form.group(1) == null ? form.group(2) : form.group(1);
            return Optional.of(new HostPort(host, Integer.parseInt(form.group(3))));
        }
    }
}
