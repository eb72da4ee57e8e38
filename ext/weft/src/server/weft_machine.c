/*
 * The machine's memory, or less of it: the limit of a control group or of one above it (version 2, then 1). What a
 * process has of it.
 */
#include "server/weft_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROOT "/sys/fs/cgroup"
#define LONGEST_PATH 4096

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return b && (!a || b < a) ? b : a;
}

/* "max", a file that is not there: 0. */
static uint64_t number_in(const char *path)
{
	FILE *file = fopen(path, "re");
	unsigned long long number = 0;

	if (file) {
		if (fscanf(file, "%llu", &number) != 1) {
			number = 0;
		}
		fclose(file);
	}
	return number;
}

/* The path of this process's group; that of the root is empty. */
static void find_group(char *path, size_t room)
{
	FILE *file = fopen("/proc/self/cgroup", "re");
	char line[LONGEST_PATH];

	*path = '\0';
	while (file && fgets(line, sizeof(line), file)) {
		if (strncmp(line, "0::/", 4) == 0) {
			snprintf(path, room, "%.*s", (int) strcspn(line + 3, "\n"), line + 3);
		}
	}
	if (file) {
		fclose(file);
	}
}

static uint64_t limit_of_groups(void)
{
	char group[LONGEST_PATH], file[LONGEST_PATH + 64], *slash;
	uint64_t least = number_in(ROOT "/memory/memory.limit_in_bytes");

	find_group(group, sizeof(group));
	do {
		slash = strrchr(group, '/');
		snprintf(file, sizeof(file), ROOT "%s/memory.max", group);
		least = smaller(least, number_in(file));
		if (slash) {
			*slash = '\0';
		}
	} while (slash);
	return least;
}

uint64_t weft_machine_memory(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

	return smaller(pages > 0 && size > 0 ? (uint64_t) pages * (uint64_t) size : 0, limit_of_groups());
}

bool weft_machine_process_memory(pid_t pid, uint64_t *resident, uint64_t *shared)
{
	char path[32];
	unsigned long long pages, shared_pages;
	bool known;

	snprintf(path, sizeof(path), "/proc/%d/statm", (int) pid);
	FILE *file = fopen(path, "re");
	if (file == NULL) {
		return false;
	}
	known = fscanf(file, "%*u %llu %llu", &pages, &shared_pages) == 2;
	fclose(file);
	if (known) {
		*resident = pages * (uint64_t) sysconf(_SC_PAGESIZE);
		*shared = shared_pages * (uint64_t) sysconf(_SC_PAGESIZE);
	}
	return known;
}
