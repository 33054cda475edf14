package dev.jdyno.cluster;

import dev.jdyno.cluster.key.OwnKey;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import java.nio.file.Path;

/// Reads a token or a private key as an agent does, in a process of another user. Prints `taken`,
/// the key's fingerprint, or the mistake.
final class ReadToken {
    private ReadToken() {}

    public static void main(String[] words) {
        Path file = Path.of(words[0]);
        if (OwnKey.isIn(file)) {
            try {
                System.out.println(OwnKey.read(file).open().fingerprint());
            } catch (UserError refused) {
                System.out.println(refused.why());
            }
            return;
        }
        var problems = new Problems();
        boolean taken = Token.read("--token-file", file, problems).isPresent();
        System.out.println(taken ? "taken" : problems.list());
    }
}
