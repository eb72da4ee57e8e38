--TEST--
libxml_get_last_error() tells of a request's own errors, whatever others have parsed meanwhile
--EXTENSIONS--
weft
libxml
simplexml
--FILE--
<?php
libxml_use_internal_errors(true);
simplexml_load_string('<boot>');
Weft\Isolation\snapshot();
$last = static fn (): string => trim(libxml_get_last_error()->message ?? 'none');
$request = static function (int $i) use ($last): string {
    return Weft\Isolation\run(static function () use ($i, $last): string {
        $before = $last();
        if ($i < 3) {
            simplexml_load_string("<request$i>");
        }
        Async\delay(5);
        $own = $last();
        libxml_clear_errors();
        Async\delay(5);

        return "$before, $own, {$last()}";
    });
};
foreach (Async\await_all(array_map(fn (int $i) => Async\spawn($request, $i), range(0, 3)))[0] as $answer) {
    echo $answer, "\n";
}
echo $last(), "\n";
?>
--EXPECT--
none, Premature end of data in tag request0 line 1, none
none, Premature end of data in tag request1 line 1, none
none, Premature end of data in tag request2 line 1, none
none, none, none
Premature end of data in tag boot line 1
