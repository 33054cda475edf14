package dev.jdyno.lab.planted;

import dev.jdyno.lab.downstream.Downstream;
import dev.jdyno.lab.service.CannotStart;
import dev.jdyno.lab.service.Container;
import dev.jdyno.lab.service.ContainerOptions;
import dev.jdyno.lab.service.ListenOptions;
import dev.jdyno.lab.service.Page;
import dev.jdyno.lab.service.Running;
import dev.jdyno.lab.work.Burn;
import dev.jdyno.lab.work.DownstreamClient;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/// The environment of a case: its parameters, its container, and the other processes that it needs.
/// Everything started here ends with it.
final class CaseSetup implements Closeable {
    /// Maximum number of concurrent calls of a case: more than its threads, so that the client's
    /// pool is never the limit.
    private static final int CALLS = 1000;

    private final ListenOptions listen;
    private final Vary vary;
    private final Burn burn;
    private final Deque<Closeable> toClose = new ArrayDeque<>();

    CaseSetup(ListenOptions listen, Vary vary, Burn burn) {
        this.listen = listen;
        this.vary = vary;
        this.burn = burn;
    }

    Vary vary() {
        return vary;
    }

    Burn burn() {
        return burn;
    }

    ListenOptions listen() {
        return listen;
    }

    /// Tomcat's default settings: a case changes one of them to plant a limit.
    ContainerOptions tomcat() {
        return ContainerOptions.at(listen);
    }

    Running serve(Page page) {
        return serve(tomcat(), page);
    }

    Running serve(ContainerOptions options, Page page) {
        return Container.start(options, Map.of("/", page));
    }

    /// Starts a downstream in a separate process, without a limit.
    DownstreamClient downstream() throws IOException {
        return client(startDownstream("--slots", "" + Integer.MAX_VALUE), CALLS);
    }

    /// Starts a downstream in a separate process that handles this many requests at a time.
    DownstreamClient downstream(int slots) throws IOException {
        return client(startDownstream("--slots", "" + slots), CALLS);
    }

    DownstreamClient client(URI downstream, int connections) {
        DownstreamClient client = new DownstreamClient(downstream, connections);
        toClose.push(client);
        return client;
    }

    URI startDownstream(String... args) throws IOException {
        HelperProcess process = start(Downstream.class, args);
        return URI.create("http://127.0.0.1:" + process.port());
    }

    /// Starts another main class of the lab, and returns when it listens.
    HelperProcess start(Class<?> main, String... args) throws IOException {
        return start(Map.of(), main, args);
    }

    /// Starts another main class with environment variables, through which it gets its secrets.
    HelperProcess start(Map<String, String> environment, Class<?> main, String... args)
            throws IOException {
        HelperProcess process =
                HelperProcess.start(
                        List.of("-Xmx128m", "-XX:+UseSerialGC"), environment, main, args);
        toClose.push(process);
        return process;
    }

    /// Returns a folder on a real disk, which is removed at the end.
    Path folderOnDisk() throws IOException {
        for (String property : List.of("java.io.tmpdir", "user.dir", "user.home")) {
            Path parent = Path.of(System.getProperty(property));
            if (Files.isWritable(parent) && !Files.getFileStore(parent).type().equals("tmpfs")) {
                Scratch scratch = Scratch.in(parent);
                toClose.push(scratch);
                return scratch.folder();
            }
        }
        throw new CannotStart(
                "no folder on a disk",
                "java.io.tmpdir, user.dir and user.home are in memory or not writable",
                "start it with -Djava.io.tmpdir=FOLDER, a folder on a disk");
    }

    /// Registers a resource that is closed with the case.
    <T extends Closeable> T closing(T resource) {
        toClose.push(resource);
        return resource;
    }

    @Override
    public void close() throws IOException {
        while (!toClose.isEmpty()) {
            toClose.pop().close();
        }
    }
}
