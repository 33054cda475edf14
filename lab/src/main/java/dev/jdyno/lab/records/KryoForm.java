package dev.jdyno.lab.records;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.ArrayList;
import org.objenesis.strategy.StdInstantiatorStrategy;

/// Kryo with registered classes, which it writes as numbers. One instance and one buffer are
/// reused, as its manual advises.
final class KryoForm {
    private static final int BUFFER_BYTES = 4096;
    private static final Kryo KRYO = new Kryo();
    private static final Output BUFFER = new Output(BUFFER_BYTES, -1);

    static {
        KRYO.register(UserRecord.class);
        KRYO.register(ArrayList.class);
        // needed because the record class has no constructor without arguments
        KRYO.setInstantiatorStrategy(new StdInstantiatorStrategy());
    }

    private KryoForm() {}

    static byte[] encode(UserRecord user) {
        BUFFER.reset();
        KRYO.writeObject(BUFFER, user);
        return BUFFER.toBytes();
    }

    static UserRecord decode(byte[] encoded) {
        return KRYO.readObject(new Input(encoded), UserRecord.class);
    }
}
