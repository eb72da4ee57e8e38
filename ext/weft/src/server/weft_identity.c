/*
 * For good: there is no way back to root.
 */
#include "php.h"
#include "server/weft_identity.h"

#include "ext/spl/spl_exceptions.h"
#include "zend_exceptions.h"

#include <ctype.h>
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

static bool give_up(const char *what, const char *name)
{
	zend_throw_exception_ex(spl_ce_RuntimeException, 0, what, name);
	return false;
}

static bool is_number(const char *name)
{
	return name[0] && strspn(name, "0123456789") == strlen(name);
}

static bool find_group(const char *name, gid_t *gid)
{
	const struct group *found = is_number(name) ? getgrgid((gid_t) atol(name)) : getgrnam(name);

	if (found) {
		*gid = found->gr_gid;
	}
	return found != NULL;
}

static bool become(const struct passwd *user, gid_t group)
{
	if (initgroups(user->pw_name, group) != 0 || setgid(group) != 0 || setuid(user->pw_uid) != 0) {
		return give_up("This process can't become another user: %s", strerror(errno));
	}
	setenv("HOME", user->pw_dir, 1);
	setenv("USER", user->pw_name, 1);
	setenv("LOGNAME", user->pw_name, 1);
	return true;
}

bool weft_identity_take(const char *user, const char *group)
{
	const struct passwd *found;
	gid_t gid;

	if (!user && !group) {
		return true;
	}
	found = !user ? getpwuid(geteuid()) : is_number(user) ? getpwuid((uid_t) atol(user)) : getpwnam(user);
	if (!found) {
		return give_up("There is no user \"%s\" (--user).", user ? user : "of this process");
	}
	gid = found->pw_gid;
	if (group && !find_group(group, &gid)) {
		return give_up("There is no group \"%s\" (--group).", group);
	}
	if (geteuid() == found->pw_uid && getegid() == gid) {
		return true;
	}
	if (geteuid() != 0) {
		return give_up("Only root can serve as another user than himself: start it as %s, without --user and --group.",
			found->pw_name);
	}
	return become(found, gid);
}
