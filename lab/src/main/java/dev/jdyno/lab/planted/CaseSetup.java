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

/// What a case is planted in: its parameters, its container, the processes it needs beside it.
/// Everything started here ends with it.
final class CaseSetup implements Closeable {
    /// Calls that any one case has under way at most: more than its threads, so that the client's
    /// pool never limits.
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

    /// Tomcat's presets: change one to plant a limit.
    ContainerOptions tomcat() {
        return ContainerOptions.at(listen);
    }

    Running serve(Page page) {
        return serve(tomcat(), page);
    }

    Running serve(ContainerOptions options, Page page) {
        return Container.start(options, Map.of("/", page));
    }

    /// A downstream in a process of its own, without a limit.
    DownstreamClient downstream() throws IOException {
        return client(startDownstream("--slots", "" + Integer.MAX_VALUE), CALLS);
    }

    /// A downstream in a process of its own that works on so many requests at once.
    DownstreamClient downstream(int slots) throws IOException {
        return client(startDownstream("--slots", "" + slots), CALLS);
    }

    DownstreamClient client(URI downstream, int connections) {
        DownstreamClient client = new DownstreamClient(downstream, connections);
        toClose.push(client);
        return client;
    }

    URI startDownstream(String... args) throws IOException {
        Beside process = start(Downstream.class, args);
        return URI.create("http://127.0.0.1:" + process.port());
    }

    /// Starts another main of the lab, which listens when this returns.
    Beside start(Class<?> main, String... args) throws IOException {
        return start(Map.of(), main, args);
    }

    /// The same with variables in its environment: that is where its secrets go.
    Beside start(Map<String, String> environment, Class<?> main, String... args)
            throws IOException {
        Beside process =
                Beside.start(List.of("-Xmx128m", "-XX:+UseSerialGC"), environment, main, args);
        toClose.push(process);
        return process;
    }

    /// A folder on a real disk, removed at the end.
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

    /// Lets something that a case started end with it.
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
