package dev.jdyno.cli.options;

import dev.jdyno.cli.terminal.Version;
import dev.jdyno.history.History;
import dev.jdyno.history.Store;
import dev.jdyno.serve.GcLogPage;
import dev.jdyno.serve.Live;
import dev.jdyno.serve.Server;
import dev.jdyno.trial.TrialListener;
import java.io.PrintWriter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// `--live`: whether a browser can watch a run.
public final class LiveOption {
    private static final String LOOPBACK = "127.0.0.1";

    @Option(
            names = "--live",
            arity = "0..1",
            fallbackValue = "0",
            paramLabel = "PORT",
            description =
                    "Show the run in a browser while it goes on, on the loopback device (default: a"
                            + " free port). The address that is printed holds a token.")
    private @Nullable Integer port;

    /// Serves the pages of a run if they are requested.
    ///
    /// @param gcLogs draws the pages of stored GC logs
    public Serving serve(String name, Store store, GcLogPage gcLogs, PrintWriter err) {
        return new Serving(port == null ? -1 : port, name, store, gcLogs, err);
    }

    /// Serves the pages of one run.
    public static final class Serving implements AutoCloseable {
        private final int port;
        private final String name;
        private final Store store;
        private final GcLogPage gcLogs;
        private final PrintWriter err;
        private Optional<Server> server = Optional.empty();
        private Optional<Live> live = Optional.empty();

        private Serving(int port, String name, Store store, GcLogPage gcLogs, PrintWriter err) {
            this.port = port;
            this.name = name;
            this.store = store;
            this.gcLogs = gcLogs;
            this.err = err;
        }

        /// This object if the pages are requested; otherwise empty.
        public Optional<Serving> wanted() {
            return port < 0 ? Optional.empty() : Optional.of(this);
        }

        /// Starts the server and prints its address.
        ///
        /// @param view another listener of the same run
        public TrialListener watching(TrialListener view) {
            var watched = new Live(name, view);
            Server started =
                    Server.start(
                            LOOPBACK,
                            port,
                            Optional.of(Server.randomToken()),
                            new Server.Shown(
                                    History.open(store),
                                    Optional.of(watched),
                                    Optional.empty(),
                                    gcLogs,
                                    Version.text()));
            server = Optional.of(started);
            live = Optional.of(watched);
            err.println("live: " + started.link("live"));
            err.flush();
            return watched;
        }

        /// @param says the result in a sentence
        public void end(String says) {
            live.ifPresent(l -> l.end(says));
        }

        @Override
        public void close() {
            server.ifPresent(Server::close);
        }
    }
}
