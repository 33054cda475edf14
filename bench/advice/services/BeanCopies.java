import org.springframework.beans.BeanUtils;

/** Copies beans by Spring's BeanUtils. */
class BeanCopies {
    public static final class Bean {
        private String name;
        private int age;

        public String getName() {
            return name;
        }

        public void setName(String name) {
            this.name = name;
        }

        public int getAge() {
            return age;
        }

        public void setAge(int age) {
            this.age = age;
        }
    }

    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            int sum = 0;
            for (int i = 0; i < 2_000; i++) {
                Bean from = new Bean();
                from.setName("name " + i);
                from.setAge(i);
                Bean to = new Bean();
                BeanUtils.copyProperties(from, to);
                sum += to.getAge();
            }
            return "sum " + sum;
        });
    }
}
