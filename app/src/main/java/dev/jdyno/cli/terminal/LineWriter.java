package dev.jdyno.cli.terminal;

import java.io.IOException;
import java.io.Writer;
import java.util.function.Consumer;

/// Passes text on to a writer, and each complete line to a listener at once.
public final class LineWriter extends Writer {
    private final Writer to;
    private final Consumer<String> listener;
    private final StringBuilder line = new StringBuilder();

    public LineWriter(Writer to, Consumer<String> listener) {
        this.to = to;
        this.listener = listener;
    }

    @Override
    public void write(char[] text, int from, int count) throws IOException {
        synchronized (lock) {
            to.write(text, from, count);
            for (int i = from; i < from + count; i++) {
                if (text[i] != '\n') {
                    line.append(text[i]);
                } else {
                    listener.accept(line.toString().stripTrailing());
                    line.setLength(0);
                }
            }
        }
    }

    @Override
    public void flush() throws IOException {
        to.flush();
    }

    @Override
    public void close() throws IOException {
        to.close();
    }
}
