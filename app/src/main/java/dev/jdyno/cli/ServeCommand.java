package dev.jdyno.cli;

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
            "Serve the stored results: pages of runs, of figures over time and of any two, JSON under",
            "/api (description: /api/openapi.json), the newest figures under /metrics. Read only."
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
    private static final long POLL_MS = 100;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description =
                    "Where (default 127.0.0.1:7070; port 0 is a free one). Anything but the loopback"
                            + " device needs a token.")
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
        int colon = listen.lastIndexOf(':');
        String host = colon <= 0 ? "" : listen.substring(0, colon);
        int port = port(colon < 0 ? "" : listen.substring(colon + 1));
        if (host.isEmpty() || port < 0) {
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
        if (!host.isEmpty() && secret.isEmpty() && problems.isEmpty() && !isLoopback(host)) {
            problems.add(
                    "--listen " + listen,
                    "other machines reach it, and nothing asks who they are",
                    "give --token @FILE, or listen at 127.0.0.1");
        }
        problems.throwIfAny("the command line");
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        try (var interrupt = new Interrupt();
                Server server =
                        Server.start(
                                host,
                                port,
                                secret,
                                store.open(),
                                Optional.empty(),
                                Version.text())) {
            out.println("serving " + server.url() + (secret.isPresent() ? "?token=…" : ""));
            out.flush();
            while (!interrupt.isSet()) {
                Thread.sleep(POLL_MS);
            }
        }
        return 0;
    }

    private static int port(String text) {
        if (!text.matches("\\d{1,5}")) {
            return -1;
        }
        int port = Integer.parseInt(text);
        return port <= MOST_PORT ? port : -1;
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException unknown) {
            return false;
        }
    }
}
