package dev.jdyno.cluster.ssh;

import dev.jdyno.cluster.up.UserProgram;
import dev.jdyno.measure.text.UserError;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// The OpenSSH client of this system. It is not interactive: a host with an unknown key, or one
/// that asks for a password, is an error.
///
/// @param program the client
/// @param configuration used in place of the user's `~/.ssh/config`
/// @param stop ends the running command
record Ssh(String program, Optional<Path> configuration, BooleanSupplier stop) {
    private static final List<String> FIXED =
            List.of(
                    "-T",
                    "-oBatchMode=yes",
                    "-oConnectTimeout=15",
                    "-oServerAliveInterval=5",
                    "-oServerAliveCountMax=4",
                    // a master process that stays in the background would hold our pipes open
                    "-oControlPath=none",
                    "-oClearAllForwardings=yes",
                    "-oForwardAgent=no",
                    "-oForwardX11=no",
                    "-oPermitLocalCommand=no",
                    "-oEscapeChar=none",
                    "-oRequestTTY=no",
                    "-oLogLevel=ERROR");

    private static final String INSTALL =
            "install the OpenSSH client (Debian: apt-get install openssh-client)";

    /// Maximum length of a host's answer; the rest is not kept.
    private static final int MAX_BYTES = 64 << 10;

    private static final int NO_CONNECTION = 255;

    /// The words of one call. Only the last one is for a shell, the one of the host.
    List<String> words(Login login, String command) {
        List<String> words = new ArrayList<>();
        words.add(program);
        words.addAll(FIXED);
        configuration.ifPresent(c -> words.addAll(List.of("-F", c.toAbsolutePath().toString())));
        if (login.port() != 0) {
            words.addAll(List.of("-p", Integer.toString(login.port())));
        }
        if (!login.user().isEmpty()) {
            words.addAll(List.of("-l", login.user()));
        }
        words.addAll(List.of("--", login.host(), command));
        return words;
    }

    /// @throws UserError if there is no ssh, no connection, or no end within this time
    UserProgram.Answer run(Login login, String command, UserProgram.Input input, Duration atMost) {
        UserProgram.Answer answer =
                new UserProgram(INSTALL, MAX_BYTES, stop)
                        .run("host " + login, words(login, command), input, atMost);
        if (answer.code() == NO_CONNECTION) {
            throw UserError.target(
                    "ssh does not reach " + login,
                    answer.lastError(),
                    "try: ssh -oBatchMode=yes " + login.host() + " true");
        }
        if (answer.cut().isPresent() && answer.code() == 0) {
            throw UserError.target(
                            "host " + login + " did not take all of it",
                            answer.cut().get().toString(),
                            "run it again")
                    .causedBy(answer.cut().get());
        }
        return answer;
    }
}
