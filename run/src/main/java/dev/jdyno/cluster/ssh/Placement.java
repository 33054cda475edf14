package dev.jdyno.cluster.ssh;

import dev.jdyno.cluster.AgentAddress;
import dev.jdyno.files.NotTrusted;
import dev.jdyno.files.PrivateFiles;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The agents that may be up, in a file beside the run's key. It is written before anything is
/// copied to a host, so that the agents can be taken down whatever happened to the process that
/// began.
///
/// Its first line is the version of its form and the configuration of ssh, `-` for none. Then comes
/// a line for each agent.
record Placement(Optional<Path> configuration, List<Place> places) {
    private static final String FORM = "jdyno-agents-up/1";
    private static final String SUFFIX = ".up";
    private static final int MOST_BYTES = 1 << 20;
    private static final int WORDS = 4;

    Placement {
        places = List.copyOf(places);
        if (configuration.filter(c -> c.toString().indexOf('\n') >= 0).isPresent()) {
            throw UserError.usage(
                    "--ssh-config " + configuration.get(),
                    "the name has a line end in it",
                    "give the file another name");
        }
    }

    static Path beside(Path keyFile) {
        return keyFile.resolveSibling(keyFile.getFileName() + SUFFIX);
    }

    /// @throws UserError if there is one already
    void begin(Path file) {
        try {
            PrivateFiles.writeNew(file, text());
        } catch (FileAlreadyExistsException there) {
            throw UserError.usage(
                            "agents of this key may be up already",
                            file + " names them",
                            "take them down first: jdyno agents down --key-file KEY")
                    .causedBy(there);
        } catch (IOException e) {
            throw UserError.usage("cannot write " + file, e.toString(), "let this user write it")
                    .causedBy(e);
        }
    }

    /// Writes the agents that are left. Without any, the file is deleted.
    void keep(Path file) {
        try {
            if (places.isEmpty()) {
                Files.deleteIfExists(file);
            } else {
                PrivateFiles.write(file, text());
            }
        } catch (IOException e) {
            throw UserError.usage("cannot write " + file, e.toString(), "let this user write it")
                    .causedBy(e);
        }
    }

    private String text() {
        return FORM
                + " "
                + configuration.map(c -> c.toAbsolutePath().toString()).orElse("-")
                + "\n"
                + places.stream()
                        .map(p ->
                                String.join(
                                                " ",
                                                p.login().toString(),
                                                p.agent().toString(),
                                                p.listen().toString(),
                                                p.id())
                                        + "\n")
                        .collect(Collectors.joining());
    }

    /// @throws UserError if there is none, another user can write it, or its form is wrong
    static Placement read(Path file) {
        try {
            List<String> lines =
                    new String(PrivateFiles.read(file, MOST_BYTES), StandardCharsets.UTF_8)
                            .lines()
                            .toList();
            if (lines.isEmpty() || !lines.getFirst().startsWith(FORM + " ")) {
                throw new IllegalArgumentException("its first line is not " + FORM);
            }
            String configuration = lines.getFirst().substring(FORM.length() + 1);
            List<Place> places = new ArrayList<>();
            for (String line : lines.subList(1, lines.size())) {
                String[] words = line.split(" ");
                if (words.length != WORDS) {
                    throw new IllegalArgumentException("a line has not " + WORDS + " words");
                }
                places.add(
                        new Place(
                                Login.parse(words[0]),
                                AgentAddress.parse(words[1]),
                                AgentAddress.parse(words[2]),
                                words[3]));
            }
            return new Placement(
                    configuration.equals("-")
                            ? Optional.empty()
                            : Optional.of(Path.of(configuration)),
                    places);
        } catch (NoSuchFileException none) {
            throw UserError.usage(
                            "no agents of this key are up",
                            "there is no " + file,
                            "name the key that jdyno agents up got")
                    .causedBy(none);
        } catch (NotTrusted other) {
            throw bad(file, "it " + other.why()).causedBy(other);
        } catch (IOException | IllegalArgumentException e) {
            throw bad(file, String.valueOf(e.getMessage())).causedBy(e);
        }
    }

    private static UserError bad(Path file, String why) {
        return UserError.usage(
                "cannot take agents down by " + file,
                why,
                "end them on their hosts by hand (.jdyno-agents in the home folder), and remove the"
                        + " file");
    }
}
