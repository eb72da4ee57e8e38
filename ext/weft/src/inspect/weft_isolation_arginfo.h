/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: cf8ba2d94f6dbe80a7267a209f1ffd32d6989e6a */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Isolation_snapshot, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Isolation_run, 0, 1, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, f, IS_CALLABLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Isolation_stats, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

#define arginfo_Weft_Isolation_uncovered arginfo_Weft_Isolation_stats

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Isolation_enabled, 0, 0, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Isolation_share, 0, 3, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, class, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, property, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, reason, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Isolation_share_kind, 0, 2, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, kind, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, reason, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_Weft_Isolation_shared arginfo_Weft_Isolation_stats


ZEND_FUNCTION(Weft_Isolation_snapshot);
ZEND_FUNCTION(Weft_Isolation_run);
ZEND_FUNCTION(Weft_Isolation_stats);
ZEND_FUNCTION(Weft_Isolation_uncovered);
ZEND_FUNCTION(Weft_Isolation_enabled);
ZEND_FUNCTION(Weft_Isolation_share);
ZEND_FUNCTION(Weft_Isolation_share_kind);
ZEND_FUNCTION(Weft_Isolation_shared);


static const zend_function_entry ext_functions[] = {
	ZEND_NS_FALIAS("Weft\\Isolation", snapshot, Weft_Isolation_snapshot, arginfo_Weft_Isolation_snapshot)
	ZEND_NS_FALIAS("Weft\\Isolation", run, Weft_Isolation_run, arginfo_Weft_Isolation_run)
	ZEND_NS_FALIAS("Weft\\Isolation", stats, Weft_Isolation_stats, arginfo_Weft_Isolation_stats)
	ZEND_NS_FALIAS("Weft\\Isolation", uncovered, Weft_Isolation_uncovered, arginfo_Weft_Isolation_uncovered)
	ZEND_NS_FALIAS("Weft\\Isolation", enabled, Weft_Isolation_enabled, arginfo_Weft_Isolation_enabled)
	ZEND_NS_FALIAS("Weft\\Isolation", share, Weft_Isolation_share, arginfo_Weft_Isolation_share)
	ZEND_NS_FALIAS("Weft\\Isolation", share_kind, Weft_Isolation_share_kind, arginfo_Weft_Isolation_share_kind)
	ZEND_NS_FALIAS("Weft\\Isolation", shared, Weft_Isolation_shared, arginfo_Weft_Isolation_shared)
	ZEND_FE_END
};
