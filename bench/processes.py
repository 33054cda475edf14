"""What the benchmarks of more than one folder ask about processes."""
import os


def family(pid):
    """The process and all its descendants; what ends while they are listed is left out."""
    found = [pid]
    try:
        tasks = os.listdir(f"/proc/{pid}/task")
    except FileNotFoundError:
        return found
    for task in tasks:
        try:
            with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as f:
                children = f.read().split()
        except FileNotFoundError:
            continue
        for child in children:
            found += family(int(child))
    return found
