package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.CannotStart;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Another process of the lab, which a case starts with the same JDK and class path. It ends with
/// the case, even if the case is killed.
final class HelperProcess implements Closeable {
    private static final String LISTENING = "listening on ";

    private final Process process;
    private final int port;

    private HelperProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /// @param environment variables added to this process's environment
    static HelperProcess start(
            List<String> jvmArgs, Map<String, String> environment, Class<?> main, String... args)
            throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command(jvmArgs, main, args))
                        .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        Process process = builder.start();
        BufferedReader out =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = out.readLine();
        if (line == null || !line.startsWith(LISTENING)) {
            process.destroy();
            throw new CannotStart(
                    main.getSimpleName() + " did not start",
                    line == null ? "it ended at once, see above" : "it said: " + line,
                    "start it by hand with the same arguments: " + String.join(" ", args));
        }
        return new HelperProcess(process, Integer.parseInt(line.substring(LISTENING.length())));
    }

    /// Returns the command of a lab main class that watches this process as its parent.
    static List<String> command(List<String> jvmArgs, Class<?> main, String... args) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmArgs);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of("--parent", Long.toString(ProcessHandle.current().pid())));
        command.addAll(List.of(args));
        return command;
    }

    int port() {
        return port;
    }

    Process process() {
        return process;
    }

    @Override
    public void close() {
        process.destroy();
    }
}
