package dev.jdyno.files;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/// A checked regular file, as an open descriptor: it remains the checked file whatever happens to
/// its name. The file may still grow or shrink, so each way to read it has a limit.
public final class Handle implements AutoCloseable {
    private final Descriptor descriptor;
    private final String name;
    private final long atMostBytes;

    Handle(Descriptor descriptor, String name, long atMostBytes) {
        this.descriptor = descriptor;
        this.name = name;
        this.atMostBytes = atMostBytes;
    }

    public Stat stat() throws IOException {
        return descriptor.stat(name);
    }

    /// A path to this file that is valid while the handle is open: for code that accepts only
    /// paths.
    public Path path() throws IOException {
        return descriptor.path();
    }

    /// Opens the file for reading. The channel stays valid when this handle is closed.
    public FileChannel channel() throws IOException {
        return FileChannel.open(path(), StandardOpenOption.READ);
    }

    /// Opens the existing file for writing, without truncation.
    public FileChannel writing() throws IOException {
        return FileChannel.open(path(), StandardOpenOption.WRITE);
    }

    /// The whole content.
    ///
    /// @throws NotTrusted if the file has grown above its limit since it was opened
    public byte[] bytes() throws IOException {
        try (InputStream in = stream()) {
            return in.readAllBytes();
        }
    }

    /// The first bytes of the file.
    ///
    /// @param max maximum number of bytes
    public byte[] head(int max) throws IOException {
        try (FileChannel in = channel()) {
            ByteBuffer head = ByteBuffer.allocate(max);
            while (head.hasRemaining() && in.read(head, head.position()) >= 0) {
                // a short read is continued
            }
            return Arrays.copyOf(head.array(), head.position());
        }
    }

    /// The content of the file as a stream. The stream stays valid when this handle is closed.
    ///
    /// @return a stream that fails with {@link NotTrusted} when the file has grown above its limit
    public InputStream stream() throws IOException {
        return new LimitedStream(Channels.newInputStream(channel()), name, atMostBytes);
    }

    /// Copies the content of the file to a stream.
    ///
    /// @throws NotTrusted if the file has grown above its limit; the bytes up to the limit were
    ///   written
    public void copyTo(OutputStream out) throws IOException {
        try (InputStream in = stream()) {
            in.transferTo(out);
        }
    }

    /// Copies the file to a file of this user.
    ///
    /// @param to in a folder that only this user can write
    public void copyTo(Path to) throws IOException {
        try (OutputStream out = Files.newOutputStream(to)) {
            copyTo(out);
        }
    }

    @Override
    public void close() throws IOException {
        descriptor.close();
    }
}
