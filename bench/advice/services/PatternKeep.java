import java.util.regex.Pattern;

/** Compiles its regular expressions in each request. */
class PatternKeep {
    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            int found = 0;
            for (int i = 0; i < 200; i++) {
                Pattern p = Pattern.compile("(\\w+)-(?<year>[0-9]{4})/" + i + "(a|b|c[d-z]*)?");
                found += p.matcher("page-2024/" + i + "cz").matches() ? 1 : 0;
            }
            return "found " + found;
        });
    }
}
