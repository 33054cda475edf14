package dev.jdyno.cluster.key;

import dev.jdyno.files.FileLock;
import dev.jdyno.files.NotTrusted;
import dev.jdyno.files.PrivateFiles;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The key of each agent, as a user has confirmed it, from a file with a line `HOST:PORT KEY` for
/// each. Only {@link #with} and {@link #withAll} add or change an entry.
///
/// @param file that stores them
/// @param keys by the agent's address as the user writes it
public record KnownAgents(Path file, Map<String, PeerKey> keys) {
    private static final int MAX_BYTES = 4 << 20;

    /// Maximum wait for the lock; adding a key takes milliseconds.
    private static final Duration LOCK_LIMIT = Duration.ofSeconds(10);

    public KnownAgents {
        keys = Map.copyOf(keys);
    }

    /// @return no keys if there is no such file
    /// @throws UserError if it cannot be read, or another user can write it
    public static KnownAgents read(Path file) {
        Map<String, PeerKey> keys = new TreeMap<>();
        if (!Files.exists(file)) {
            return new KnownAgents(file, keys);
        }
        try {
            String text = new String(PrivateFiles.read(file, MAX_BYTES), StandardCharsets.UTF_8);
            int number = 0;
            for (String line : text.lines().toList()) {
                number++;
                if (!line.isBlank() && !line.startsWith("#")) {
                    read(file, number, line.strip().split("\\s+"), keys);
                }
            }
            return new KnownAgents(file, keys);
        } catch (NotTrusted other) {
            throw UserError.usage(
                            "cannot take the keys of agents in " + file,
                            "it " + other.why(),
                            "compare its lines with what the agents show; then make it yours, with"
                                    + " mode 600")
                    .causedBy(other);
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot read the keys of agents",
                            e.toString(),
                            "let this user read " + file)
                    .causedBy(e);
        }
    }

    private static void read(Path file, int number, String[] words, Map<String, PeerKey> keys) {
        try {
            if (words.length != 2 || keys.put(words[0], new PeerKey(words[1])) != null) {
                throw new IllegalArgumentException("it is not HOST:PORT KEY, once for each agent");
            }
        } catch (IllegalArgumentException e) {
            throw UserError.usage(
                            "cannot read the keys of agents",
                            file + ":" + number + ": " + e.getMessage(),
                            "remove the line, and run jdyno agents trust again")
                    .causedBy(e);
        }
    }

    public Optional<PeerKey> of(String agent) {
        return Optional.ofNullable(keys.get(agent));
    }

    /// Adds this key to the file and returns all keys in it. Other processes may add theirs at the
    /// same time.
    ///
    /// @throws UserError if it cannot be written, or another process has given this agent a key
    ///   since the file was read
    public KnownAgents with(String agent, PeerKey key) {
        return withAll(Map.of(agent, key));
    }

    /// Adds several keys at once, as {@link #with} does.
    ///
    /// @param more keys by the agent's address
    public KnownAgents withAll(Map<String, PeerKey> more) {
        return changed(() -> added(more));
    }

    /// Removes all entries with one of these keys from the file and returns all others in it.
    ///
    /// @throws UserError if it cannot be written
    public KnownAgents without(Set<PeerKey> gone) {
        return changed(() -> {
            Map<String, PeerKey> left = new TreeMap<>(read(file).keys());
            return left.values().removeAll(gone) ? written(left) : new KnownAgents(file, left);
        });
    }

    private interface Change {
        KnownAgents made() throws IOException;
    }

    private KnownAgents changed(Change change) {
        try {
            OwnKey.folderOf(file);
            try (FileLock _ = FileLock.await(lock(), LOCK_LIMIT)) {
                return change.made();
            }
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot keep the keys of agents",
                            e.toString(),
                            "let this user write " + file)
                    .causedBy(e);
        }
    }

    /// A separate lock file: the file of keys is replaced, and any reader of a file can hold its
    /// lock.
    private Path lock() throws IOException {
        Path lock = file.resolveSibling("." + file.getFileName() + ".lock");
        try {
            PrivateFiles.writeNew(lock, "");
        } catch (FileAlreadyExistsException there) {
            // it exists already, from an earlier call
        }
        return lock;
    }

    private KnownAgents added(Map<String, PeerKey> more) throws IOException {
        KnownAgents now = read(file);
        more.forEach((agent, key) -> {
            Optional<PeerKey> meanwhile = now.of(agent);
            if (!meanwhile.equals(of(agent)) && !meanwhile.equals(Optional.of(key))) {
                throw UserError.usage(
                        "the key of agent " + agent + " is not kept",
                        "another process has changed it in " + file + " meanwhile",
                        "compare the fingerprint again, and run this again");
            }
        });
        Map<String, PeerKey> all = new TreeMap<>(now.keys());
        all.putAll(more);
        return written(all);
    }

    private KnownAgents written(Map<String, PeerKey> all) throws IOException {
        PrivateFiles.write(
                file,
                all.entrySet().stream()
                        .map(e -> e.getKey() + " " + e.getValue() + "\n")
                        .collect(Collectors.joining()));
        return new KnownAgents(file, all);
    }
}
