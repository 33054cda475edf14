package dev.jdyno.observe.profiler;

import dev.jdyno.files.Handle;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.SharedFolder;
import dev.jdyno.target.Target;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// async-profiler's library at a place that the target can read: a separate folder in the target's
/// `/tmp`, which only the target's user can write.
///
/// No JVM can unload such a library. So the folder stays while the JVM runs, and the next run loads
/// the same file again instead of a second copy. It finds the file in the JVM's memory map, and
/// uses it if its content is still right.
final class ProfilerLibrary implements AutoCloseable {
    private static final String FILE = "libasyncProfiler.so";

    // 7f5c…-7f5c… r-xp 00000000 08:01 1234 /tmp/jdyno-12t34-profiler-56t78-…/libasyncProfiler.so
    private static final Pattern MAPPED =
            Pattern.compile("(?m)\\s(?:/\\S*)?/tmp/(jdyno-\\S+)/libasyncProfiler\\.so$");

    private final Target target;
    private final SharedFolder folder;

    private ProfilerLibrary(Target target, SharedFolder folder) {
        this.target = target;
        this.folder = folder;
    }

    /// The library that the target has loaded, or else a new one.
    ///
    /// @throws UserError when there is none for this machine, it cannot be copied, or another tool
    ///   has loaded a copy of its own
    static ProfilerLibrary of(Target target) {
        Optional<String> another = OtherProfiler.in(ProcFs.SYSTEM, target.pid());
        if (another.isPresent()) {
            throw NativeProfiler.refused(
                    "another tool has loaded "
                            + another.get()
                            + ", and a second copy would spoil its recording");
        }
        String resource = "/" + platform() + "/libasyncProfiler.so";
        try (InputStream in = ProfilerLibrary.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw NativeProfiler.refused("this jar holds no " + resource);
            }
            byte[] bytes = in.readAllBytes();
            Optional<SharedFolder> loaded = loaded(target);
            if (loaded.isPresent() && holds(loaded.get(), bytes)) {
                return new ProfilerLibrary(target, loaded.get());
            }
            return new ProfilerLibrary(target, laidDown(target, bytes));
        } catch (IOException notWritten) {
            throw NativeProfiler.refused("its /tmp cannot be used: " + notWritten.getMessage())
                    .causedBy(notWritten);
        }
    }

    private static String platform() {
        String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        return arch.equals("aarch64") ? "linux-arm64" : "linux-x64";
    }

    private static SharedFolder laidDown(Target target, byte[] bytes) throws IOException {
        SharedFolder folder =
                SharedFolder.make(ProcFs.SYSTEM, target.pid(), SharedFolder.Purpose.PROFILER);
        try {
            folder.write(FILE, bytes);
            return folder;
        } catch (IOException notWritten) {
            folder.close();
            throw notWritten;
        }
    }

    /// The folder of the library that the target has mapped.
    private static Optional<SharedFolder> loaded(Target target) throws IOException {
        Optional<String> folder = mappedFolder(target);
        return folder.isPresent()
                ? SharedFolder.open(ProcFs.SYSTEM, target.pid(), folder.get())
                : Optional.empty();
    }

    private static Optional<String> mappedFolder(Target target) {
        Matcher mapped = MAPPED.matcher(ProcFs.SYSTEM.text(target.pid(), "maps").orElse(""));
        return mapped.find() ? Optional.of(mapped.group(1)) : Optional.empty();
    }

    /// True if the folder contains exactly this library. The content is compared, because the
    /// target's user owns the folder and can put any file there.
    private static boolean holds(SharedFolder folder, byte[] bytes) throws IOException {
        try (Handle file = folder.read(FILE, bytes.length)) {
            if (Arrays.equals(file.bytes(), bytes)) {
                return true;
            }
        } catch (IOException another) {
            // another file has the name, so a new library is copied to a new folder
        }
        folder.leave();
        return false;
    }

    /// The path by which the target has loaded the library; empty if it has not. The JVM receives
    /// no command.
    static Optional<String> loadedBy(Target target) {
        return mappedFolder(target).map(folder -> "/tmp/" + folder + "/" + FILE);
    }

    String seenByTarget() {
        return folder.seenByTarget(FILE);
    }

    /// Leaves the library to a target that has loaded it and continues to run.
    ///
    /// @throws IOException if a part of it cannot be removed
    @Override
    public void close() throws IOException {
        if (target.attached() && loadedBy(target).isPresent()) {
            folder.leave();
        } else {
            folder.close();
        }
    }
}
