--TEST--
Functions that php.ini disables are nothing to wrap
--EXTENSIONS--
weft
--INI--
disable_functions=fsockopen,stream_socket_client,curl_init
--FILE--
<?php
echo "started\n";
?>
--EXPECT--
started
