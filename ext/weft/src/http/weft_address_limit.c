/*
 * What one address may take: connections of a worker, and requests a second of all workers. Off until somebody asks for
 * it (weft.http_address_connections, weft.http_address_rate). Who has a /64 of IPv6 has all addresses in it, so that
 * counts as one. What a trusted proxy says of its client counts, and proxies themselves have no limit.
 *
 * A request is allowed as by a bucket that fills at the rate and holds weft.http_address_burst of them: one number for
 * each address (weft_bucket.h), in memory that the workers share.
 */
#include "http/weft_bucket.h"
#include "http/weft_http_internal.h"

#include <stdatomic.h>
#include <sys/mman.h>

/* Addresses that are remembered: those of some seconds. In sets, of which one address has its place in one. */
#define SETS 4096
#define WAYS 4

typedef struct {
	_Atomic uint64_t address;
	_Atomic uint64_t full; /* when its bucket will be */
} bucket;

/* NULL: there was no memory for it, and there is no limit. */
static bucket *buckets;

void weft_address_limit_share(void)
{
	void *memory;

	if (buckets) {
		return;
	}
	memory = mmap(NULL, sizeof(bucket) * SETS * WAYS, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	buckets = memory == MAP_FAILED ? NULL : memory;
}

/* An address of IPv4, or a /64. 0: none that is limited. */
static uint64_t address_of(const char *text)
{
	static const unsigned char v4[12] = {[10] = 0xff, [11] = 0xff};
	unsigned char bytes[16];
	uint64_t address = 0;

	if (weft_forwarded_trusts(text) || !weft_forwarded_read(text, bytes)) {
		return 0;
	}
	for (int i = 0; i < 8; i++) {
		address = address << 8 | bytes[memcmp(bytes, v4, sizeof(v4)) == 0 ? 8 + i : i];
	}
	return address;
}

/* --- requests --- */

/* The bucket of an address; of one that is new, that which is full for longest becomes it. Two workers may take the
 * same at once: then one of the addresses has a request more, or less. */
static bucket *bucket_of(uint64_t address)
{
	bucket *set = &buckets[(address * UINT64_C(0x9e3779b97f4a7c15) >> 52) % SETS * WAYS], *eldest = set;

	for (int i = 0; i < WAYS; i++) {
		if (atomic_load(&set[i].address) == address) {
			return &set[i];
		}
		if (atomic_load(&set[i].full) < atomic_load(&eldest->full)) {
			eldest = &set[i];
		}
	}
	atomic_store(&eldest->full, 0);
	atomic_store(&eldest->address, address);
	return eldest;
}

static bool take_one(bucket *of, uint64_t now, uint32_t rate, uint32_t burst)
{
	uint64_t full = atomic_load(&of->full), then;

	do {
		then = weft_bucket_take(full, now, rate, burst);
	} while (then && !atomic_compare_exchange_weak(&of->full, &full, then));
	return then != 0;
}

bool weft_address_limit_request(weft_http_request *request)
{
	const weft_http_config *config = &request->server->config;
	uint64_t address;

	if (config->address_rate == 0 || !buckets) {
		return true;
	}
	weft_request_take_client(request);
	address = address_of(request->remote_address);
	return address == 0 || take_one(bucket_of(address), weft_now(), config->address_rate, config->address_burst);
}

/* --- connections --- */

bool weft_address_limit_connect(weft_http_connection *connection)
{
	weft_http_server *server = connection->server;
	uint64_t address;
	zval *count, one;

	if (server->config.address_connections == 0 || (address = address_of(connection->remote_address)) == 0) {
		return true;
	}
	count = zend_hash_index_find(&server->addresses, address);
	if (!count) {
		ZVAL_LONG(&one, 0);
		count = zend_hash_index_add_new(&server->addresses, address, &one);
	}
	connection->address = address;
	return ++Z_LVAL_P(count) <= server->config.address_connections;
}

void weft_address_limit_disconnect(weft_http_connection *connection)
{
	HashTable *addresses = &connection->server->addresses;
	zval *count = connection->address ? zend_hash_index_find(addresses, connection->address) : NULL;

	if (count && --Z_LVAL_P(count) == 0) {
		zend_hash_index_del(addresses, connection->address);
	}
}

/* --- life --- */

void weft_address_limit_init(weft_http_server *server)
{
	weft_address_limit_share();
	zend_hash_init(&server->addresses, 0, NULL, NULL, true);
}

void weft_address_limit_free(weft_http_server *server)
{
	zend_hash_destroy(&server->addresses);
}
