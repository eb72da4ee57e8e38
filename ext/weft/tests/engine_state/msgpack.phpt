--TEST--
msgpack: coroutines do not interleave in it
--EXTENSIONS--
weft
msgpack
--FILE--
<?php
require __DIR__ . '/interleave.inc';

final class Waits
{
    public array $kept = [];

    public function __construct(public object|int $self = 0, public int $me = 0)
    {
    }

    public function __sleep(): array
    {
        usleep(300 * ($this->me % 3 + 1));
        return ['self', 'me', 'kept'];
    }

    public function __wakeup(): void
    {
        usleep(300 * ($this->me % 3 + 1));
    }
}
$graph = function (int $me): array {
    $shared = new Waits(0, $me);
    return [new Waits($shared, $me), $shared, new Waits($shared, $me), str_repeat("$me", 100)];
};
$pack = new MessagePack();
$ways = [
    'functions' => [msgpack_pack(...), msgpack_unpack(...)],
    'serialize' => [msgpack_serialize(...), msgpack_unserialize(...)],
    'methods' => [$pack->pack(...), $pack->unpack(...)],
    'unpacker' => [$pack->pack(...), function (string $text) {
        $unpacker = new MessagePackUnpacker();
        $unpacker->feed($text);
        return $unpacker->execute() ? $unpacker->data() : null;
    }],
];
foreach ($ways as $name => [$to, $from]) {
    interleave($name, function (int $me) use ($graph, $to, $from): bool {
        usleep(100 * $me);
        $value = $graph($me);
        $back = $from($to($value));
        return $back == $value && $back[0]->self === $back[1] && $back[2]->self === $back[1];
    });
}
?>
--EXPECT--
functions: right
serialize: right
methods: right
unpacker: right
