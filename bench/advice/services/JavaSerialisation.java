import java.io.ByteArrayOutputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.List;

/** Copies objects by Java's serialisation. */
class JavaSerialisation {
    record Order(int id, String customer, List<Integer> items) implements Serializable {}

    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                for (int i = 0; i < 100; i++) {
                    out.writeObject(new Order(i, "customer " + i, List.of(i, i + 1)));
                }
            }
            return "bytes " + bytes.size();
        });
    }
}
