--TEST--
Domains collect libxml's errors as at the snapshot, when the main script has turned that off since
--EXTENSIONS--
weft
libxml
simplexml
--FILE--
<?php
libxml_use_internal_errors(true);
simplexml_load_string('<boot>');
Weft\Isolation\snapshot();
libxml_use_internal_errors(false);
$other = array_map(fn (int $i) => str_repeat((string) $i, 30), range(0, 50));
for ($i = 0; $i < 2; $i++) {
    Weft\Isolation\run(function () use ($i): void {
        simplexml_load_string("<request$i>");
        echo implode(', ', array_map(fn (LibXMLError $error) => trim($error->message), libxml_get_errors())), "\n";
    });
}
var_dump(libxml_use_internal_errors());
?>
--EXPECT--
Premature end of data in tag request0 line 1
Premature end of data in tag request1 line 1
bool(false)
