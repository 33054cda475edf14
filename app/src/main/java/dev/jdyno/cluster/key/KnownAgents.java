package dev.jdyno.cluster.key;

import dev.jdyno.files.PrivateFiles;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Which key each agent has, as a user has confirmed it: a file with a line `HOST:PORT KEY` for
/// each. Nothing is added to it, and nothing in it is changed, but by {@link #with}.
///
/// @param file that keeps them
/// @param keys by the agent's address as the user writes it
public record KnownAgents(Path file, Map<String, PeerKey> keys) {
    private static final int MOST_BYTES = 4 << 20;

    public KnownAgents {
        keys = Map.copyOf(keys);
    }

    /// @return none where there is no such file
    /// @throws UserError when it cannot be read
    public static KnownAgents read(Path file) {
        Map<String, PeerKey> keys = new TreeMap<>();
        if (!Files.exists(file)) {
            return new KnownAgents(file, keys);
        }
        try (var in = Files.newInputStream(file)) {
            String text = new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
            int number = 0;
            for (String line : text.lines().toList()) {
                number++;
                if (!line.isBlank() && !line.startsWith("#")) {
                    read(file, number, line.strip().split("\\s+"), keys);
                }
            }
            return new KnownAgents(file, keys);
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

    /// The same with this one, which the file keeps from now on.
    ///
    /// @throws UserError when it cannot be written
    public KnownAgents with(String agent, PeerKey key) {
        Map<String, PeerKey> all = new TreeMap<>(keys);
        all.put(agent, key);
        try {
            OwnKey.folderOf(file);
            PrivateFiles.write(
                    file,
                    all.entrySet().stream()
                            .map(e -> e.getKey() + " " + e.getValue() + "\n")
                            .collect(Collectors.joining()));
            return new KnownAgents(file, all);
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot keep the keys of agents",
                            e.toString(),
                            "let this user write " + file)
                    .causedBy(e);
        }
    }
}
