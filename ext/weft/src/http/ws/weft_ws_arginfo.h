/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: a5c73348f5beb16b0dc0087fa9c68e2bd5c1266b */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Weft_Http_WebSocket___construct, 0, 0, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Weft_Http_WebSocket_accept, 0, 0, Weft\\Http\\WebSocket, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, request, IS_MIXED, 0, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, protocols, IS_ARRAY, 0, "[]")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, origins, IS_ARRAY, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Weft_Http_WebSocket_getIterator, 0, 0, Iterator, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Weft_Http_WebSocket_receive, 0, 0, IS_STRING, 1)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Weft_Http_WebSocket_send, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, message, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, binary, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Weft_Http_WebSocket_trySend, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, message, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, binary, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Weft_Http_WebSocket_ping, 0, 0, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, data, IS_STRING, 0, "\'\'")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Weft_Http_WebSocket_close, 0, 0, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, code, IS_LONG, 0, "1000")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, reason, IS_STRING, 0, "\'\'")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Weft_Http_WebSocket_isOpen, 0, 0, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Weft_Http_WebSocket_closeCode, 0, 0, IS_LONG, 1)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Weft_Http_WebSocket_handOver, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, method, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, state, IS_STRING, 0, "\'\'")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, restartCode, IS_LONG, 0, "1012")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Weft_Http_WebSocket_answer, 0, 2, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, message, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, answer, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Weft_Http_WebSocket_state, 0, 0, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Weft_Http_WebSocket_setState, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, state, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Weft_Http_WebSocket_subscribe, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, room, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, member, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, about, IS_STRING, 0, "\'\'")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, joined, IS_STRING, 0, "\'\'")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, left, IS_STRING, 0, "\'\'")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Weft_Http_WebSocket_unsubscribe, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, room, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Weft_Http_WebSocket_rooms, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Weft_Http_WebSocket_publish, 0, 2, IS_VOID, 0)
	ZEND_ARG_TYPE_MASK(0, rooms, MAY_BE_STRING|MAY_BE_ARRAY, NULL)
	ZEND_ARG_TYPE_INFO(0, message, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, binary, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, except, IS_STRING, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Weft_Http_WebSocket_members, 0, 1, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, room, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Weft_Http_WebSocket_count, 0, 0, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, prefix, IS_STRING, 0, "\'\'")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, exact, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Weft_Http_WebSocket_closeAll, 0, 2, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, room, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, code, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, reason, IS_STRING, 0, "\'\'")
ZEND_END_ARG_INFO()


ZEND_METHOD(Weft_Http_WebSocket, __construct);
ZEND_METHOD(Weft_Http_WebSocket, accept);
ZEND_METHOD(Weft_Http_WebSocket, getIterator);
ZEND_METHOD(Weft_Http_WebSocket, receive);
ZEND_METHOD(Weft_Http_WebSocket, send);
ZEND_METHOD(Weft_Http_WebSocket, trySend);
ZEND_METHOD(Weft_Http_WebSocket, ping);
ZEND_METHOD(Weft_Http_WebSocket, close);
ZEND_METHOD(Weft_Http_WebSocket, isOpen);
ZEND_METHOD(Weft_Http_WebSocket, closeCode);
ZEND_METHOD(Weft_Http_WebSocket, handOver);
ZEND_METHOD(Weft_Http_WebSocket, answer);
ZEND_METHOD(Weft_Http_WebSocket, state);
ZEND_METHOD(Weft_Http_WebSocket, setState);
ZEND_METHOD(Weft_Http_WebSocket, subscribe);
ZEND_METHOD(Weft_Http_WebSocket, unsubscribe);
ZEND_METHOD(Weft_Http_WebSocket, rooms);
ZEND_METHOD(Weft_Http_WebSocket, publish);
ZEND_METHOD(Weft_Http_WebSocket, members);
ZEND_METHOD(Weft_Http_WebSocket, count);
ZEND_METHOD(Weft_Http_WebSocket, closeAll);


static const zend_function_entry class_Weft_Http_WebSocketException_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Weft_Http_WebSocketClosed_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Weft_Http_UpgradeRefused_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Weft_Http_UpgradeRequired_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Weft_Http_WebSocket_methods[] = {
	ZEND_ME(Weft_Http_WebSocket, __construct, arginfo_class_Weft_Http_WebSocket___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Weft_Http_WebSocket, accept, arginfo_class_Weft_Http_WebSocket_accept, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Weft_Http_WebSocket, getIterator, arginfo_class_Weft_Http_WebSocket_getIterator, ZEND_ACC_PUBLIC)
	ZEND_ME(Weft_Http_WebSocket, receive, arginfo_class_Weft_Http_WebSocket_receive, ZEND_ACC_PUBLIC)
	ZEND_ME(Weft_Http_WebSocket, send, arginfo_class_Weft_Http_WebSocket_send, ZEND_ACC_PUBLIC)
	ZEND_ME(Weft_Http_WebSocket, trySend, arginfo_class_Weft_Http_WebSocket_trySend, ZEND_ACC_PUBLIC)
	ZEND_ME(Weft_Http_WebSocket, ping, arginfo_class_Weft_Http_WebSocket_ping, ZEND_ACC_PUBLIC)
	ZEND_ME(Weft_Http_WebSocket, close, arginfo_class_Weft_Http_WebSocket_close, ZEND_ACC_PUBLIC)
	ZEND_ME(Weft_Http_WebSocket, isOpen, arginfo_class_Weft_Http_WebSocket_isOpen, ZEND_ACC_PUBLIC)
	ZEND_ME(Weft_Http_WebSocket, closeCode, arginfo_class_Weft_Http_WebSocket_closeCode, ZEND_ACC_PUBLIC)
	ZEND_ME(Weft_Http_WebSocket, handOver, arginfo_class_Weft_Http_WebSocket_handOver, ZEND_ACC_PUBLIC)
	ZEND_ME(Weft_Http_WebSocket, answer, arginfo_class_Weft_Http_WebSocket_answer, ZEND_ACC_PUBLIC)
	ZEND_ME(Weft_Http_WebSocket, state, arginfo_class_Weft_Http_WebSocket_state, ZEND_ACC_PUBLIC)
	ZEND_ME(Weft_Http_WebSocket, setState, arginfo_class_Weft_Http_WebSocket_setState, ZEND_ACC_PUBLIC)
	ZEND_ME(Weft_Http_WebSocket, subscribe, arginfo_class_Weft_Http_WebSocket_subscribe, ZEND_ACC_PUBLIC)
	ZEND_ME(Weft_Http_WebSocket, unsubscribe, arginfo_class_Weft_Http_WebSocket_unsubscribe, ZEND_ACC_PUBLIC)
	ZEND_ME(Weft_Http_WebSocket, rooms, arginfo_class_Weft_Http_WebSocket_rooms, ZEND_ACC_PUBLIC)
	ZEND_ME(Weft_Http_WebSocket, publish, arginfo_class_Weft_Http_WebSocket_publish, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Weft_Http_WebSocket, members, arginfo_class_Weft_Http_WebSocket_members, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Weft_Http_WebSocket, count, arginfo_class_Weft_Http_WebSocket_count, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Weft_Http_WebSocket, closeAll, arginfo_class_Weft_Http_WebSocket_closeAll, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Weft_Http_WebSocketException(zend_class_entry *class_entry_RuntimeException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Weft\\Http", "WebSocketException", class_Weft_Http_WebSocketException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_RuntimeException);

	return class_entry;
}

static zend_class_entry *register_class_Weft_Http_WebSocketClosed(zend_class_entry *class_entry_Weft_Http_WebSocketException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Weft\\Http", "WebSocketClosed", class_Weft_Http_WebSocketClosed_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Weft_Http_WebSocketException);
	class_entry->ce_flags |= ZEND_ACC_FINAL;

	return class_entry;
}

static zend_class_entry *register_class_Weft_Http_UpgradeRefused(zend_class_entry *class_entry_Weft_Http_WebSocketException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Weft\\Http", "UpgradeRefused", class_Weft_Http_UpgradeRefused_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Weft_Http_WebSocketException);

	return class_entry;
}

static zend_class_entry *register_class_Weft_Http_UpgradeRequired(zend_class_entry *class_entry_Weft_Http_UpgradeRefused)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Weft\\Http", "UpgradeRequired", class_Weft_Http_UpgradeRequired_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Weft_Http_UpgradeRefused);
	class_entry->ce_flags |= ZEND_ACC_FINAL;

	return class_entry;
}

static zend_class_entry *register_class_Weft_Http_WebSocket(zend_class_entry *class_entry_IteratorAggregate)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Weft\\Http", "WebSocket", class_Weft_Http_WebSocket_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;
	zend_class_implements(class_entry, 1, class_entry_IteratorAggregate);

	zval property_id_default_value;
	ZVAL_UNDEF(&property_id_default_value);
	zend_string *property_id_name = zend_string_init("id", sizeof("id") - 1, 1);
	zend_declare_typed_property(class_entry, property_id_name, &property_id_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING));
	zend_string_release(property_id_name);

	zval property_protocol_default_value;
	ZVAL_UNDEF(&property_protocol_default_value);
	zend_string *property_protocol_name = zend_string_init("protocol", sizeof("protocol") - 1, 1);
	zend_declare_typed_property(class_entry, property_protocol_name, &property_protocol_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING|MAY_BE_NULL));
	zend_string_release(property_protocol_name);

	return class_entry;
}
