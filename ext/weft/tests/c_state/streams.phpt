--TEST--
Stream wrappers, filters and the default context that a domain registers are its own
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

class Told
{
    public $context;
    private string $text = '';

    public function stream_open(string $path): bool
    {
        $this->text = static::class . " $path";
        return true;
    }

    public function stream_read(int $length): string
    {
        [$text, $this->text] = [$this->text, ''];
        return $text;
    }

    public function stream_eof(): bool
    {
        return $this->text === '';
    }

    public function stream_stat(): bool
    {
        return false;
    }
}
class ToldA extends Told {}
class ToldB extends Told {}
class Marks extends php_user_filter
{
    public function filter($in, $out, &$consumed, bool $closing): int
    {
        while ($bucket = stream_bucket_make_writeable($in)) {
            $bucket->data = static::class . "($bucket->data)";
            $consumed += $bucket->datalen;
            stream_bucket_append($out, $bucket);
        }
        return PSFS_PASS_ON;
    }
}
class MarksA extends Marks {}
class MarksB extends Marks {}

stream_wrapper_register('boot', Told::class);
stream_filter_register('boot', Marks::class);
stream_context_set_default(['http' => ['user_agent' => 'boot']]);
$filtered = function (string $filter): string {
    $file = fopen('php://memory', 'w+');
    stream_filter_append($file, $filter, STREAM_FILTER_WRITE);
    fwrite($file, 'x');
    rewind($file);
    return stream_get_contents($file);
};
$known = fn () => [
    in_array('told', stream_get_wrappers(), true),
    in_array('data', stream_get_wrappers(), true),
    in_array('marks', stream_get_filters(), true),
    stream_context_get_options(stream_context_get_default())['http']['user_agent'],
];
Weft\Isolation\snapshot();
in_domains(function (string $me) use ($filtered, $known) {
    $start = $known();
    stream_wrapper_register('told', $me === 'a' ? ToldA::class : ToldB::class);
    stream_filter_register('marks', $me === 'a' ? MarksA::class : MarksB::class);
    stream_context_set_default(['http' => ['user_agent' => $me]]);
    if ($me === 'a') {
        stream_wrapper_unregister('data');
    }
    turn();
    $now = [
        file_get_contents('told://x'),
        file_get_contents('boot://x'),
        $filtered('marks'),
        $filtered('boot'),
        $known(),
    ];
    turn();
    if ($me === 'a') {
        stream_wrapper_restore('data');
        stream_wrapper_unregister('told');
    }
    turn();
    return [$start, $now, $known()];
});
echo json_encode($known()), "\n";
?>
--EXPECT--
a: [[false,true,false,"boot"],["ToldA told://x","Told boot://x","MarksA(x)","Marks(x)",[true,false,true,"a"]],[false,true,true,"a"]]
b: [[false,true,false,"boot"],["ToldB told://x","Told boot://x","MarksB(x)","Marks(x)",[true,true,true,"b"]],[true,true,true,"b"]]
[false,true,false,"boot"]
