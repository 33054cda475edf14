package dev.jdyno.lab.service;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A service in its own process, started as users start it, that receives requests over HTTP.
public final class ProcessOf implements AutoCloseable {
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /// Time limit of a reply. A service that ran out of memory may never reply.
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private final Process process;
    private final int port;

    private ProcessOf(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /// A reply and its response time.
    public record Answer(int status, String body, double millis) {}

    public static ProcessOf started(Class<?> main, String... args) throws IOException {
        return startedWith(List.of(), main, args);
    }

    public static ProcessOf startedWith(List<String> jvmArgs, Class<?> main, String... args)
            throws IOException {
        Process process =
                builder(jvmArgs, main, args).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        BufferedReader out = process.inputReader();
        String line = out.readLine();
        if (line == null || !line.startsWith("listening on ")) {
            process.destroyForcibly();
            throw new AssertionError(main.getSimpleName() + " said: " + line);
        }
        return new ProcessOf(process, Integer.parseInt(line.substring("listening on ".length())));
    }

    /// The command of a service on the test's own class path. The service ends with the test.
    public static ProcessBuilder builder(List<String> jvmArgs, Class<?> main, String... args) {
        List<String> all = new ArrayList<>();
        if (!List.of(args).contains("--parent")) {
            all.addAll(List.of("--parent", Long.toString(ProcessHandle.current().pid())));
        }
        all.addAll(List.of(args));
        return plain(jvmArgs, main, all);
    }

    /// The command of a main class that ends by itself.
    public static ProcessBuilder plain(Class<?> main, String... args) {
        return plain(List.of(), main, List.of(args));
    }

    private static ProcessBuilder plain(List<String> jvmArgs, Class<?> main, List<String> args) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Xshare:auto"));
        command.addAll(jvmArgs);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(args);
        return new ProcessBuilder(command);
    }

    public Process process() {
        return process;
    }

    public int port() {
        return port;
    }

    public String url() {
        return "http://127.0.0.1:" + port;
    }

    public Answer get(String target) {
        return ask(target).join();
    }

    /// Time in ms from the first request to the last reply, with all requests sent at once.
    public double millisForAll(int requests, String target) {
        long before = System.nanoTime();
        askTogether(requests, target);
        return (System.nanoTime() - before) / 1e6;
    }

    /// Sends a request in each interval `every`, independent of the replies. Returns the number of
    /// replies with status 200 within a minute. If all were sent at once, the scheduler would
    /// decide how many hold their memory at the same time.
    public long answeredOfAll(int requests, Duration every, String target)
            throws InterruptedException {
        List<CompletableFuture<Boolean>> all = new ArrayList<>();
        for (int i = 0; i < requests; i++) {
            all.add(ask(target).handle((a, e) -> e == null && a.status() == 200));
            // sleeps: interval between two requests
            Thread.sleep(every.toMillis());
        }
        return all.stream().filter(CompletableFuture::join).count();
    }

    /// Sends each request after the reply to the one before, and stops at the first error. Returns
    /// the number of replies with status 200 within a minute.
    public int answeredInTurn(int requests, String target) {
        int answered = 0;
        while (answered < requests
                && ask(target).handle((a, e) -> e == null && a.status() == 200).join()) {
            answered++;
        }
        return answered;
    }

    /// CPU time of the process so far, in ms.
    public double cpuMillis() {
        return process.toHandle().info().totalCpuDuration().orElseThrow().toNanos() / 1e6;
    }

    @Override
    public void close() {
        // terminated first, so that it removes its files, and killed only if it does not end
        process.destroy();
        boolean interrupted = false;
        try {
            if (process.waitFor(1, TimeUnit.MINUTES)) {
                return;
            }
        } catch (InterruptedException hurry) {
            interrupted = true;
        }
        process.destroyForcibly();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private List<Answer> askTogether(int requests, String target) {
        List<CompletableFuture<Answer>> all =
                Stream.generate(() -> ask(target)).limit(requests).toList();
        return all.stream().map(CompletableFuture::join).toList();
    }

    private CompletableFuture<Answer> ask(String target) {
        long before = System.nanoTime();
        return CLIENT.sendAsync(
                        HttpRequest.newBuilder(URI.create(url() + target)).build(),
                        BodyHandlers.ofString())
                .thenApply((HttpResponse<String> answer) -> timed(answer, before))
                .orTimeout(LONGEST.toSeconds(), TimeUnit.SECONDS);
    }

    private static Answer timed(HttpResponse<String> answer, long before) {
        return new Answer(answer.statusCode(), answer.body(), (System.nanoTime() - before) / 1e6);
    }
}
