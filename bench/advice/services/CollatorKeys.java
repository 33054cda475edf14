import java.text.Collator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Sorts by a shared Collator. */
class CollatorKeys {
    private static final Collator GERMAN = Collator.getInstance(Locale.GERMAN);

    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            List<String> names = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                names.add("Müller " + (i * 7919 % 200));
            }
            names.sort(GERMAN);
            return names.getFirst();
        });
    }
}
