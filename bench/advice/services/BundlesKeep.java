import java.util.Locale;
import java.util.MissingResourceException;
import java.util.ResourceBundle;

/** Looks for a resource bundle that is missing. */
class BundlesKeep {
    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            int missing = 0;
            for (int i = 0; i < 100; i++) {
                try {
                    ResourceBundle.getBundle("texts.page" + i, Locale.GERMANY);
                } catch (MissingResourceException e) {
                    missing++;
                }
            }
            return "missing " + missing;
        });
    }
}
