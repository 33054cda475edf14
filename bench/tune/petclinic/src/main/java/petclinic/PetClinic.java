package petclinic;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/// A clinic for pets: owners, their pets, their visits, in an H2 database in memory.
@SpringBootApplication
public class PetClinic {
    public static void main(String[] args) {
        SpringApplication.run(PetClinic.class, args);
    }
}
