package dev.jdyno.compare;

import dev.jdyno.files.PrivateLines;
import dev.jdyno.measure.text.ShellText;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// The journal of a measurement that can continue after an interruption: one line for each finished
/// step. Each line is on the disk before the next step begins.
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

    /// Opens the journal of an interrupted measurement, or begins a new one. An incomplete last
    /// line belongs to an unfinished step and is dropped.
    ///
    /// @param does verb for jdyno's work in the folder, as in `another jdyno tunes in …`
    /// @param reader gets the existing lines
    /// @throws UserError if another process writes the file, or a line does not belong to this kind
    ///   of journal
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

    /// Returns the error for a file from which a measurement cannot continue.
    public static UserError foreign(Path file, String why) {
        return UserError.usage(
                file + " is no journal of this jdyno", why, "begin anew without --resume");
    }

    /// Returns the note about an incomplete last line, if there was one.
    public Optional<Note> dropped() {
        return dropped;
    }

    /// Appends a line and returns when it is on the disk.
    ///
    /// @throws UserError if the line cannot be written
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
