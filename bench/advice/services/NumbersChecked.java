/** Finds by an exception that a text is no number. */
class NumbersChecked {
    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            int none = 0;
            for (int i = 0; i < 500; i++) {
                try {
                    Integer.parseInt("n/a " + i);
                } catch (NumberFormatException e) {
                    none++;
                }
            }
            return "none " + none;
        });
    }
}
