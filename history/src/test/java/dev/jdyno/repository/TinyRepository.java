package dev.jdyno.repository;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A git repository for tests, with its own commits.
public final class TinyRepository {
    private final Path root;

    public TinyRepository(Path root) throws IOException, InterruptedException {
        this.root = root;
        Files.createDirectories(root);
        git("init", "--quiet", "--initial-branch=main");
    }

    public Path root() {
        return root;
    }

    /// Runs git in the repository as a user would.
    ///
    /// @return its output
    public String git(String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "git",
                                "-c",
                                "user.name=A U Thor",
                                "-c",
                                "user.email=author@example.org",
                                "-c",
                                "commit.gpgSign=false"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(root.toFile()).redirectErrorStream(true);
        builder.environment().keySet().removeIf(n -> n.startsWith("GIT_"));
        Process process = builder.start();
        String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + ": " + answer);
        }
        return answer;
    }

    /// Writes these files and commits them.
    ///
    /// @return the commit's hash
    public String commit(String subject, Map<String, String> files)
            throws IOException, InterruptedException {
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = root.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
        git("add", "--all");
        git("commit", "--quiet", "--allow-empty", "-m", subject);
        return git("rev-parse", "HEAD").strip();
    }
}
