package dev.jdyno.cluster.up;

import dev.jdyno.files.PrivateFiles;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/// The file next to a run's key that names the agents that may be running. It is written before the
/// first agent is started, so that all agents can be taken down even if this process is killed.
///
/// @param path of the file
public record UpFile(Path path) {
    private static final String SUFFIX = ".up";
    private static final int MAX_BYTES = 1 << 20;

    /// The file of a run's key.
    public static UpFile beside(Path keyFile) {
        return new UpFile(keyFile.resolveSibling(keyFile.getFileName() + SUFFIX));
    }

    /// Writes the file.
    ///
    /// @throws UserError if there is one already
    public void begin(String text) {
        try {
            PrivateFiles.writeNew(path, text);
        } catch (FileAlreadyExistsException there) {
            throw UserError.usage(
                            "agents of this key may be up already",
                            path + " names them",
                            "take them down first: jdyno agents down --key-file KEY")
                    .causedBy(there);
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    /// Replaces the text of the file.
    public void keep(String text) {
        try {
            PrivateFiles.write(path, text);
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    /// Removes the file, because no agent is running any more.
    public void delete() {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    private UserError unwritable(IOException e) {
        return UserError.usage("cannot write " + path, e.toString(), "let this user write it")
                .causedBy(e);
    }

    /// The lines of the file.
    ///
    /// @throws UserError if there is none
    /// @throws dev.jdyno.files.NotTrusted if another user can write it
    public List<String> lines() throws IOException {
        try {
            return new String(PrivateFiles.read(path, MAX_BYTES), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (NoSuchFileException none) {
            throw UserError.usage(
                            "no agents of this key are up",
                            "there is no " + path,
                            "name the key that jdyno agents up got")
                    .causedBy(none);
        }
    }
}
