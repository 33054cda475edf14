package dev.jdyno.cli;

import dev.jdyno.cli.gc.GcPages;
import dev.jdyno.cli.options.AtFile;
import dev.jdyno.cli.options.StoreOption;
import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.cli.terminal.Version;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.serve.Server;
import dev.jdyno.watch.WatchedDays;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
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

/// Serves the stored results to a browser.
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        description = {
            "Show the stored results in a browser: runs, figures over time, any two compared.",
            "",
            "Services that jdyno watch watches have a page for each day, with bottlenecks, load and"
                    + " headroom. JSON is under /api (description: /api/openapi.json), the newest"
                    + " figures are under /metrics. Read only. It cannot show a live run: open the"
                    + " address that jdyno run --live prints."
        },
        footer = {
            "",
            "Examples:",
            "  jdyno serve",
            "  jdyno serve --listen 0.0.0.0:7070 --token @token.txt",
        })
final class ServeCommand implements Callable<Integer> {
    private static final String VARIABLE = "JDYNO_SERVE_TOKEN";
    private static final int MIN_TOKEN = 16;
    private static final int MAX_PORT = 65_535;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description =
                    "Address to listen on (default 127.0.0.1:7070; port 0 takes a free port).")
    private String listen = "127.0.0.1:7070";

    @Option(
            names = "--token",
            paramLabel = "@FILE",
            description =
                    "The file with the token, at least 16 characters. Every request must present"
                            + " the token as Authorization: Bearer, or once as ?token=."
                            + " $JDYNO_SERVE_TOKEN holds the token itself. Default: a random"
                            + " token, which the printed address contains.")
    private @Nullable String token;

    @Option(
            names = "--open",
            description =
                    "Ask for no token: every user of this machine can read all results. On the"
                            + " loopback device only.")
    private boolean open;

    @Option(
            names = "--watched",
            paramLabel = "DIR",
            description =
                    "Folder of the day files of jdyno watch, its --out (default:"
                            + " jdyno-out/watch).")
    private Path watched = WatchCommand.FOLDER;

    @Mixin private StoreOption store = new StoreOption();

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        var problems = Problems.ofCommand("jdyno serve");
        Optional<HostPort> at = HostPort.of(listen);
        if (at.isEmpty()) {
            problems.add("--listen " + listen, "is no HOST:PORT", "write 127.0.0.1:7070");
        }
        Optional<String> given = given(problems);
        if (open && given.isPresent()) {
            problems.add("--open", "a token is given, too", "leave one of them out");
        }
        if (open && at.filter(ServeCommand::isOpen).isPresent()) {
            problems.add(
                    "--open --listen " + listen,
                    "other machines reach it, and nothing asks who they are",
                    "leave --open out, or listen at 127.0.0.1");
        }
        problems.throwIfAny();
        Optional<String> secret =
                open ? Optional.empty() : Optional.of(given.orElseGet(Server::randomToken));
        PrintWriter out = spec.commandLine().getOut();
        try (var interrupt = new Interrupt();
                Server server =
                        Server.start(
                                at.orElseThrow().host(),
                                at.orElseThrow().port(),
                                secret,
                                new Server.Shown(
                                        store.open(),
                                        Optional.empty(),
                                        Optional.of(new WatchedDays(watched)),
                                        GcPages::html,
                                        Version.text()))) {
            // A user who chose the token knows it, so the address does not show it.
            String address = given.isPresent() ? server.url() + "?token=…" : server.link("");
            out.println("serving " + address);
            out.flush();
            interrupt.await();
        }
        return 0;
    }

    /// The token that the user chose; empty if there is none.
    private Optional<String> given(Problems problems) {
        Optional<String> set =
                Optional.ofNullable(System.getenv(VARIABLE)).filter(t -> !t.isEmpty());
        if (token == null) {
            set.ifPresent(t -> checkLength("$" + VARIABLE, t, problems));
            return set;
        }
        if (!token.startsWith("@")) {
            problems.add(
                    "--token",
                    "what stands on the command line can be read by every user of this machine",
                    "write it into a file that only you can read and give the file's name, after an"
                            + " @, to --token; or set $"
                            + VARIABLE);
            return Optional.empty();
        }
        Optional<String> read = AtFile.text("--token", token, problems).map(String::strip);
        read.ifPresent(t -> checkLength("the file of --token", t, problems));
        return read;
    }

    private static void checkLength(String where, String text, Problems problems) {
        if (text.length() < MIN_TOKEN) {
            problems.add(
                    where,
                    "has fewer than " + MIN_TOKEN + " characters, which can be guessed",
                    "write one with: umask 077; openssl rand -hex 16 > FILE");
        }
    }

    /// True if other machines can reach the server.
    private static boolean isOpen(HostPort at) {
        try {
            return !InetAddress.getByName(at.host()).isLoopbackAddress();
        } catch (UnknownHostException unknown) {
            return true;
        }
    }

    /// Address on which the server listens.
    ///
    /// @param host a name or an address, an IPv6 address without brackets
    record HostPort(String host, int port) {
        private static final Pattern FORM =
                Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)]|([^:\\[\\]]+)):(\\d{1,5})");

        /// @return empty if the text is not `HOST:PORT`, or is an IPv6 address without brackets
        static Optional<HostPort> of(String text) {
            Matcher form = FORM.matcher(text);
            if (!form.matches() || Integer.parseInt(form.group(3)) > MAX_PORT) {
                return Optional.empty();
            }
            String host = form.group(1) == null ? form.group(2) : form.group(1);
            return Optional.of(new HostPort(host, Integer.parseInt(form.group(3))));
        }
    }
}
