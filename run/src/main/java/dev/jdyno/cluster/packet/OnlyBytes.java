package dev.jdyno.cluster.packet;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import org.jgroups.BytesMessage;
import org.jgroups.EmptyMessage;
import org.jgroups.Global;
import org.jgroups.Message;
import org.jgroups.MessageFactory;
import org.jgroups.conf.ClassConfigurator;

/// Creates the messages that JGroups reads, in the whole process: those of {@link Payloads} and
/// empty ones. A message of any other type is refused by its number, before a byte of it is read.
/// Long payloads come in parts that are bytes, too. Parts of other messages are refused, because
/// the joined message would name its own sender without a check.
///
/// JGroups creates headers and message contents by numbers from a list of classes. The list here
/// has only the classes of our protocols.
public final class OnlyBytes extends MessageFactory {
    private static final String CLASSES = "dev/jdyno/cluster/packet/magic-map.xml";

    static {
        System.setProperty(Global.MAGIC_NUMBER_FILE, CLASSES);
        Arrays.fill(creators, null);
        creators[Message.EMPTY_MSG] = made(EmptyMessage::new);
        creators[Message.BYTES_MSG] = made(Payloads.Bytes::new);
        creators[Message.OBJ_MSG] = made(Payloads.Numbers::new);
    }

    private OnlyBytes() {}

    private static Supplier<Message> made(Supplier<Message> how) {
        return how;
    }

    /// To be called before JGroups is used.
    ///
    /// @throws IllegalStateException if JGroups was used before and has its own list of classes
    public static void enforce() {
        short part = new BoundedFragHeader().getMagicId();
        try {
            Object made = ClassConfigurator.create(part);
            if (made instanceof BoundedFragHeader) {
                return;
            }
        } catch (ClassNotFoundException another) {
            throw new IllegalStateException("JGroups makes other classes than ours", another);
        }
        throw new IllegalStateException("JGroups makes other classes than ours");
    }

    /// The payload of a message that was read; empty if it is not bytes, because then it cannot be
    /// one of our messages.
    public static Optional<byte[]> of(Message message) {
        return message instanceof BytesMessage bytes
                ? Optional.ofNullable(bytes.getBytes())
                : Optional.empty();
    }
}
