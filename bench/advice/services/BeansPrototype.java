import org.springframework.context.support.GenericApplicationContext;

/** Wires a prototype bean in each request. */
class BeansPrototype {
    public static class Page {
        public Page() {}
    }

    public static void main(String[] args) throws Exception {
        GenericApplicationContext context = new GenericApplicationContext();
        context.registerBean(Page.class, definition -> definition.setScope("prototype"));
        context.refresh();
        Serve.with(() -> {
            int sum = 0;
            for (int i = 0; i < 300; i++) {
                sum += context.getBean(Page.class).hashCode() & 1;
            }
            return "sum " + (sum >= 0);
        });
    }
}
