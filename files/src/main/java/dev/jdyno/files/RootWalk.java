package dev.jdyno.files;

import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/// Resolves a path inside a root folder, part by part and by handle, if the kernel has no
/// `openat2`. An absolute link starts at the root again, and `..` does not go above it.
final class RootWalk {
    /// Maximum number of links, the same as Linux follows on one path.
    private static final int MAX_LINKS = 40;

    private final int root;

    /// The folders between the root and the present position, the last one first.
    private final Deque<Descriptor> below = new ArrayDeque<>();

    /// @param root a descriptor of the root folder, which stays open
    RootWalk(int root) {
        this.root = root;
    }

    /// A descriptor of the file with a path ({@link Calls#O_PATH}).
    int open(String path) throws IOException {
        try {
            walk(path);
            return below.isEmpty()
                    ? Calls.openAt(root, ".", Calls.O_PATH | Calls.O_DIRECTORY, 0)
                    : below.pop().release();
        } finally {
            backToRoot();
        }
    }

    private void walk(String path) throws IOException {
        Deque<String> ahead = new ArrayDeque<>(parts(path));
        int links = 0;
        while (!ahead.isEmpty()) {
            String part = ahead.pop();
            if (part.equals("..")) {
                if (!below.isEmpty()) {
                    below.pop().close();
                }
                continue;
            }
            var next = new Descriptor(fromHere(part));
            Stat its = next.stat(part);
            if (its.kind() == Stat.Kind.LINK) {
                next.close();
                if (++links > MAX_LINKS) {
                    throw new FileSystemLoopException(path);
                }
                String target = target(part);
                if (target.startsWith("/")) {
                    backToRoot();
                }
                parts(target).reversed().forEach(ahead::push);
            } else {
                below.push(next);
                if (!ahead.isEmpty() && its.kind() != Stat.Kind.FOLDER) {
                    throw new NotDirectoryException(path);
                }
            }
        }
    }

    private static List<String> parts(String path) {
        return Arrays.stream(path.split("/+")).filter(p -> !p.isEmpty() && !p.equals(".")).toList();
    }

    private int fromHere(String part) throws IOException {
        int flags = Calls.O_PATH | Calls.O_NOFOLLOW;
        return below.isEmpty()
                ? Calls.openAt(root, part, flags, 0)
                : below.peek().use(fd -> Calls.openAt(fd, part, flags, 0));
    }

    /// The target of a link, read without following any link.
    private String target(String part) throws IOException {
        Path here = below.isEmpty() ? Path.of("/proc/self/fd/" + root) : below.peek().path();
        return Files.readSymbolicLink(here.resolve(part)).toString();
    }

    private void backToRoot() throws IOException {
        while (!below.isEmpty()) {
            below.pop().close();
        }
    }
}
