/*
 * The modules that wait on a network and may keep something in their library for the whole process: one coroutine at a
 * time is in a call of the library, while others run. Each with the library, what it keeps, and the test with many
 * visitors at once: the extension that tests/extensions/run is told.
 *
 * A library stands here only if its calls are entered by its own modules alone, or what others call of it keeps
 * nothing.
 */
#ifndef WEFT_GUARDED_H
#define WEFT_GUARDED_H

/* name in lower case, library, what it keeps, test */
#define WEFT_GUARDED_MODULES(_) \
	_("ftp", "ext/ftp", "nothing that is known: its answers come one after the other", "ftp") \
	_("gearman", "libgearman", "nothing that is known; its callbacks and its state are a client's", "gearman") \
	_("imap", "c-client", "the user who logs in, and where the results of the running call go", "imap") \
	_("ldap", "libldap", "mutexes that it holds while it looks up a name or waits for an answer", "ldap") \
	_("mongodb", "libmongoc", "one client for each URI, which takes the next answer for that of its command", \
		"mongodb") \
	_("snmp", "net-snmp", "the list of sessions, and the formats of output while a session's call is under way", \
		"snmp") \
	_("ssh2", "libssh2", "nothing that is known; the libraries below it have not been looked through", "ssh2")

#endif /* WEFT_GUARDED_H */
