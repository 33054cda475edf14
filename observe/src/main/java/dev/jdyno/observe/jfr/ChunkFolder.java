package dev.jdyno.observe.jfr;

import dev.jdyno.measure.text.UserError;
import dev.jdyno.target.Jcmd;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The folder to which a JVM's flight recorder writes its chunks. It is the present or configured
/// repository (`-XX:FlightRecorderOptions`, `JFR.configure`). Otherwise the recorder will create
/// one in its `java.io.tmpdir`, which many start scripts set to another disk than `/tmp`.
final class ChunkFolder {
    // Repository path: /opt/tomcat/temp/2026_11_25_02_43_01_18706
    // Repository path: N/A
    private static final Pattern REPOSITORY =
            Pattern.compile("(?m)^Repository path: (\\S.*?)\\s*$");

    private static final String NONE_YET = "N/A";

    private ChunkFolder() {}

    /// The path as the target sees it.
    ///
    /// @throws UserError when the target does not report the folder: then it is unknown which disk
    ///   must have free space
    static String of(Jcmd jcmd) throws InterruptedException {
        Matcher repository = REPOSITORY.matcher(jcmd.run("JFR.configure", FlightRecording.LIMIT));
        if (repository.find() && !repository.group(1).equals(NONE_YET)) {
            return repository.group(1);
        }
        String tmp = jcmd.systemProperties().get("java.io.tmpdir");
        if (tmp == null || tmp.isBlank()) {
            throw UserError.target(
                    "the target cannot be recorded",
                    "it does not say on which disk its flight recorder would write",
                    "name one: jcmd PID JFR.configure repositorypath=FOLDER");
        }
        return tmp;
    }
}
