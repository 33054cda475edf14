package dev.jdyno.cluster.ssh;

import dev.jdyno.cluster.AgentAddress;
import dev.jdyno.cluster.up.UpFile;
import dev.jdyno.files.NotTrusted;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The agents that may be running on hosts reached by ssh, and their form in the {@link UpFile}.
///
/// The first line is the version of the form and the configuration of ssh, `-` for none. Then comes
/// a line for each agent.
record Placement(Optional<Path> configuration, List<Place> places) {
    private static final String FORM = "jdyno-agents-up/1";
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
        return UpFile.beside(keyFile).path();
    }

    /// @throws UserError if there is one already
    void begin(Path file) {
        new UpFile(file).begin(text());
    }

    /// Writes the agents that are left. Without any, the file is deleted.
    void keep(Path file) {
        if (places.isEmpty()) {
            new UpFile(file).delete();
        } else {
            new UpFile(file).keep(text());
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
            List<String> lines = new UpFile(file).lines();
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
