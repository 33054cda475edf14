/** Asks for a class that is not there in each request. */
class ClassMissesKeep {
    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            int missing = 0;
            for (int i = 0; i < 10; i++) {
                try {
                    Class.forName("com.acme.plugin.Renderer" + i);
                } catch (ClassNotFoundException e) {
                    missing++;
                }
            }
            return "missing " + missing;
        });
    }
}
