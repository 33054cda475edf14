package dev.jdyno.compare;

import dev.jdyno.files.PrivateLines;
import dev.jdyno.measure.text.ShellText;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// The file of a measurement that goes on after an interruption: one line for each finished step. A
/// line is on the disk before the next step begins.
public final class JournalFile implements AutoCloseable {
    private final Path folder;
    private final Path file;
    private final PrivateLines lines;
    private final Optional<Note> dropped;

    private JournalFile(Path folder, Path file, PrivateLines.Opened opened) {
        this.folder = folder;
        this.file = file;
        this.lines = opened.lines();
        this.dropped =
                opened.found()
                        .dropped()
                        .map(n -> new Note.JournalCut(String.valueOf(file.getFileName()), n));
    }

    /// Opens the file of an interrupted measurement, or begins one. A last line that was cut short
    /// was not finished: it goes.
    ///
    /// @param does what jdyno does with it, as in `another jdyno tunes in …`
    /// @param reader gets the lines that are there
    /// @throws UserError when another process writes it, or a line is none of this file
    public static JournalFile open(
            Path folder, String name, String does, PrivateLines.Reader reader) {
        Path file = folder.resolve(name);
        try {
            return new JournalFile(folder, file, PrivateLines.open(file, reader));
        } catch (PrivateLines.Busy busy) {
            throw UserError.usage(
                            "another jdyno " + does + " in " + folder,
                            "it writes " + name + " there",
                            "wait until it ends, or give another --out DIR")
                    .causedBy(busy);
        } catch (PrivateLines.BadLine broken) {
            throw foreign(file, "line " + broken.number() + " cannot be read").causedBy(broken);
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot open " + file,
                            String.valueOf(e.getMessage()),
                            "give --out DIR where files can be written")
                    .causedBy(e);
        }
    }

    /// The error for a file that a measurement cannot go on with.
    public static UserError foreign(Path file, String why) {
        return UserError.usage(
                file + " is no journal of this jdyno", why, "begin anew without --resume");
    }

    /// The line that a kill had cut short, if there was one.
    public Optional<Note> dropped() {
        return dropped;
    }

    /// On the disk when this returns.
    ///
    /// @throws UserError when it cannot be written
    public void append(String line) {
        try {
            lines.append(line);
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot write " + file,
                            String.valueOf(e.getMessage()),
                            "free some space, then go on with --resume "
                                    + ShellText.word(folder.toString()))
                    .causedBy(e);
        }
    }

    @Override
    public void close() {
        try {
            lines.close();
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot close " + file, String.valueOf(e.getMessage()), "see the disk")
                    .causedBy(e);
        }
    }
}
