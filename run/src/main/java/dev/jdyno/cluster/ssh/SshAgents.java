package dev.jdyno.cluster.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.jdyno.cluster.AgentAddress;
import dev.jdyno.cluster.Credentials;
import dev.jdyno.cluster.Survey;
import dev.jdyno.cluster.key.KnownAgents;
import dev.jdyno.cluster.key.OwnKey;
import dev.jdyno.cluster.key.PeerKey;
import dev.jdyno.cluster.up.ReadyLines;
import dev.jdyno.cluster.up.UserProgram;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/// Copies agents to hosts by ssh, starts them, and takes them down again.
///
/// Each agent creates its own key on its host. The key's fingerprint comes back over ssh, which has
/// authenticated the host. Only a key with that fingerprint is stored for the agent.
public final class SshAgents {
    private static final Duration PROBE_LIMIT = Duration.ofSeconds(60);
    private static final Duration UNPACK_LIMIT = Duration.ofMinutes(10);
    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final Duration STOP_LIMIT = Duration.ofMinutes(2);

    /// Maximum number of concurrent connections. An sshd refuses more than 10 unauthenticated ones,
    /// and all packages share one uplink.
    private static final int AT_ONCE = 8;

    /// Output of `uname -sm` on the systems for which a package of this name is built.
    private static final Map<String, String> KINDS =
            Map.of("linux-x64", "Linux x86_64", "linux-arm64", "Linux aarch64");

    private final String program;
    private final Consumer<String> progress;
    private final BooleanSupplier stop;
    private final Semaphore free = new Semaphore(AT_ONCE);

    /// @param program the OpenSSH client
    /// @param progress receives a line for each step of each host
    /// @param stop true takes down everything that was begun
    public SshAgents(String program, Consumer<String> progress, BooleanSupplier stop) {
        this.program = program;
        this.progress = progress;
        this.stop = stop;
    }

    /// The package to install and the hosts.
    ///
    /// @param hosts a file with a line for each host
    /// @param keyFile the run's key, created if missing
    /// @param packed the self-contained package
    /// @param words additional words for each `jdyno agent`
    /// @param life time after which each agent ends by itself
    /// @param configuration of ssh, in place of the user's
    public record Wanted(
            Path hosts,
            Path keyFile,
            Path packed,
            List<String> words,
            Duration life,
            Optional<Path> configuration) {
        public Wanted {
            words = List.copyOf(words);
        }
    }

    /// Brings the agents up. If one of them fails, all are taken down.
    ///
    /// @return the facts that they give about themselves once they have proved their keys
    /// @throws UserError with all hosts that failed; nothing is left on the others
    public Survey up(Wanted wanted, NanoClock clock) {
        List<Place> places = HostFile.read(wanted.hosts());
        if (!Files.isReadable(wanted.packed()) || !Files.isRegularFile(wanted.packed())) {
            throw UserError.usage(
                    "cannot read the package " + wanted.packed(),
                    "there is no such file, or this user may not read it",
                    "give --package jdyno-VERSION-linux-x64.tar.gz");
        }
        probe(wanted, places);
        OwnKey key = OwnKey.readOrMake(wanted.keyFile());
        Path file = Placement.beside(wanted.keyFile());
        var placement = new Placement(wanted.configuration(), places);
        placement.begin(file);
        boolean up = false;
        try {
            Survey survey = brought(wanted, places, key, clock);
            up = true;
            return survey;
        } finally {
            if (!up) {
                takenDown(placement, file).list().forEach(p -> progress.accept(p.toString()));
            }
        }
    }

    /// Takes down what {@link #up} began. Agents that cannot be reached stay in the file, for
    /// another attempt.
    ///
    /// @return number of agents that are down
    /// @throws UserError if there are none, or with all hosts that failed
    public int down(Path keyFile) {
        Path file = Placement.beside(keyFile);
        Placement placement = Placement.read(file);
        takenDown(placement, file).throwIfAny("taking agents down");
        return placement.places().size();
    }

    /// Before anything is written, checks that each host is reachable and has the system of the
    /// package.
    private void probe(Wanted wanted, List<Place> places) {
        var ssh = new Ssh(program, wanted.configuration(), stop);
        String name = String.valueOf(wanted.packed().getFileName());
        var problems = new Problems();
        List<Place> _ =
                each(
                        places,
                        place -> {
                            UserProgram.Answer kind =
                                    ssh.run(
                                            place.login(),
                                            Scripts.SHELL,
                                            to -> to.write(Scripts.PROBE.getBytes(UTF_8)),
                                            PROBE_LIMIT);
                            require(place, "it cannot take a package", kind);
                            KINDS.forEach((of, machine) -> {
                                if (name.contains(of) && !kind.text().strip().equals(machine)) {
                                    throw UserError.usage(
                                            "host " + place.login() + " cannot run " + name,
                                            "it is " + Printable.line(kind.text().strip()),
                                            "give --package of its kind");
                                }
                            });
                            return place;
                        },
                        problems);
        problems.throwIfAny("reaching hosts by ssh");
    }

    private Survey brought(Wanted wanted, List<Place> places, OwnKey key, NanoClock clock) {
        var ssh = new Ssh(program, wanted.configuration(), stop);
        var problems = new Problems();
        String open = key.open().text();
        List<Started> started = each(places, place -> started(ssh, place, wanted, open), problems);
        problems.throwIfAny("bringing agents up");
        KnownAgents known = KnownAgents.read(Credentials.agentKeysOf(wanted.keyFile()));
        for (Started agent : started) {
            known = trusted(agent, key, known);
        }
        Survey survey =
                Survey.of(
                        started.stream().map(s -> s.place().agent()).toList(),
                        Credentials.of(key, known),
                        problems,
                        clock);
        problems.throwIfAny("asking agents");
        return survey;
    }

    private record Started(Place place, String fingerprint) {}

    private Started started(Ssh ssh, Place place, Wanted wanted, String open) {
        Login login = place.login();
        require(
                place,
                "the package cannot be unpacked there",
                ssh.run(
                        login,
                        Scripts.unpack(place),
                        to -> Files.copy(wanted.packed(), to),
                        UNPACK_LIMIT));
        progress.accept(login + ": the package is there");
        String start = Scripts.start(place, open, wanted.life(), wanted.words());
        UserProgram.Answer ready =
                ssh.run(login, Scripts.SHELL, to -> to.write(start.getBytes(UTF_8)), START_LIMIT);
        require(place, "its agent does not start", ready);
        String fingerprint =
                ReadyLines.fingerprint(ready.text())
                        .orElseThrow(() ->
                                UserError.target(
                                        "host " + login + " starts no agent of this version",
                                        "it shows no fingerprint of its key",
                                        "give --package of the same version as this jdyno"));
        progress.accept(login + ": its agent is ready at " + place.agent());
        return new Started(place, fingerprint);
    }

    private static void require(Place place, String what, UserProgram.Answer answer) {
        if (answer.code() != 0) {
            throw UserError.target(
                    "host " + place.login() + ": " + what,
                    answer.lastError(),
                    "correct that on the host, and run it again");
        }
    }

    private static KnownAgents trusted(Started agent, OwnKey key, KnownAgents known) {
        AgentAddress at = agent.place().agent();
        PeerKey shown = Credentials.of(key, known).shownBy(at);
        if (!shown.fingerprint().equals(agent.fingerprint())) {
            throw UserError.target(
                    "another process answers at " + at,
                    "the agent on host "
                            + agent.place().login()
                            + " has the key "
                            + agent.fingerprint()
                            + ", the one that answers "
                            + shown.fingerprint(),
                    "name the address of that host as its second word");
        }
        return known.with(at.toString(), shown);
    }

    private Problems takenDown(Placement placement, Path file) {
        var ssh = new Ssh(program, placement.configuration(), () -> false);
        var problems = new Problems();
        List<Place> down =
                each(
                        placement.places(),
                        place -> {
                            require(
                                    place,
                                    "its agent is not down",
                                    ssh.run(
                                            place.login(),
                                            Scripts.SHELL,
                                            to -> to.write(Scripts.stop(place).getBytes(UTF_8)),
                                            STOP_LIMIT));
                            progress.accept(place.login() + ": nothing is left there");
                            return place;
                        },
                        problems);
        List<Place> left = new ArrayList<>(placement.places());
        left.removeAll(down);
        new Placement(placement.configuration(), left).keep(file);
        return problems;
    }

    private <T> List<T> each(List<Place> places, Function<Place, T> work, Problems problems) {
        return Survey.together(
                places,
                place -> {
                    free.acquireUninterruptibly();
                    try {
                        return work.apply(place);
                    } finally {
                        free.release();
                    }
                },
                problems);
    }
}
