/*
 * The kinds of requests that a load is made of. A script has a line for each, with a tab between its columns: weight,
 * path, what a right answer contains (behind "=": what it is, whole), and for a POST what is sent: "length:TEXT",
 * "chunks:TEXT" (in one chunk, its length unsaid), or "bytes:NUMBER".
 */
#ifndef WEFT_BENCH_REQUESTS_H
#define WEFT_BENCH_REQUESTS_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_KINDS 32
#define MAX_TEXT 512
/* The most that a request may send. */
#define MAX_BYTES (64u << 20)

typedef struct {
	unsigned weight;
	int credit; /* for taking turns by weight */
	char needle[MAX_TEXT];
	char *path, *request;
	size_t length; /* of the request, with what it sends */
	bool tagged;
	bool posts; /* sent as it is, by a client that stays */
} kind;

static kind kinds[MAX_KINDS];
static unsigned kind_count, weight_total;
static uint64_t tag_number, random_state = 20261121;
static uint16_t port;

/* xorshift */
static unsigned random_below(unsigned limit)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (unsigned) (random_state >> 11) % limit;
}

static void fill_in(char *to, const char *template)
{
	const char *mark = strstr(template, "{tag}");
	if (mark == NULL) {
		snprintf(to, MAX_TEXT, "%s", template);
	} else {
		snprintf(to, MAX_TEXT, "%.*stag%llu%s", (int) (mark - template), template, (unsigned long long) tag_number,
			mark + 5);
	}
}

static bool is_right(const char *body, const char *needle)
{
	return *needle == '=' ? strcmp(body, needle + 1) == 0 : strstr(body, needle) != NULL;
}

/* The kinds take turns: each gains its weight, the richest is next and pays for the round. */
static kind *next_kind(void)
{
	kind *best = &kinds[0];
	for (unsigned i = 0; i < kind_count; i++) {
		kinds[i].credit += (int) kinds[i].weight;
		best = kinds[i].credit > best->credit ? &kinds[i] : best;
	}
	best->credit -= (int) weight_total;
	return best;
}

static size_t write_request(char *to, const char *path, bool close)
{
	return (size_t) snprintf(to, 2 * MAX_TEXT,
		"GET %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nAccept: application/json\r\n%s\r\n", path, port,
		close ? "Connection: close\r\n" : "");
}

/* False when it is none of those above. */
static bool write_post(kind *k, const char *what)
{
	bool chunks = strncmp(what, "chunks:", 7) == 0, bytes = strncmp(what, "bytes:", 6) == 0;
	const char *text = strchr(what, ':');
	if (text == NULL || (!chunks && !bytes && strncmp(what, "length:", 7) != 0)) {
		return false;
	}
	size_t length = bytes ? strtoul(text + 1, NULL, 10) : strlen(text + 1);
	if (length > MAX_BYTES) {
		return false;
	}
	char size[64];
	snprintf(size, sizeof size, chunks ? "Transfer-Encoding: chunked" : "Content-Length: %zu", length);
	k->request = malloc(2 * MAX_TEXT + length);
	k->length = (size_t) snprintf(k->request, 2 * MAX_TEXT,
		"POST %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nContent-Type: %s\r\n%s\r\n\r\n", k->path, port,
		bytes ? "application/octet-stream" : "text/plain", size);
	if (chunks) {
		k->length += (size_t) snprintf(k->request + k->length, MAX_TEXT + 16, "%zx\r\n%s\r\n0\r\n\r\n", length,
			text + 1);
		return true;
	}
	for (size_t i = 0; i < length; i++) {
		k->request[k->length++] = bytes ? (char) (i * 2654435761u >> 13) : text[1 + i];
	}
	return true;
}

static void read_script(const char *file)
{
	char line[4 * MAX_TEXT], path[MAX_TEXT], what[MAX_TEXT];
	FILE *in = fopen(file, "r");
	if (in == NULL) {
		perror(file);
		exit(2);
	}
	while (kind_count < MAX_KINDS && fgets(line, sizeof line, in) != NULL) {
		kind *k = &kinds[kind_count];
		int columns = sscanf(line, "%u\t%500[^\t]\t%500[^\t\n]\t%500[^\n]", &k->weight, path, k->needle, what);
		if (columns < 3 || k->weight == 0) {
			continue;
		}
		k->path = strdup(path);
		k->posts = columns == 4;
		k->tagged = !k->posts && strstr(path, "{tag}") != NULL;
		if (!k->posts) {
			k->request = malloc(2 * MAX_TEXT);
			k->length = write_request(k->request, path, false);
		} else if (!write_post(k, what)) {
			fprintf(stderr, "load: \"%s\" can't be sent\n", what);
			exit(2);
		}
		weight_total += k->weight;
		kind_count++;
	}
	fclose(in);
	if (kind_count == 0) {
		fprintf(stderr, "load: %s has no line \"weight<TAB>path<TAB>text\"\n", file);
		exit(2);
	}
}

#endif
