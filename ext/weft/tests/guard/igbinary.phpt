--TEST--
igbinary may be left where __serialize() or __unserialize() waits: each call has its own list of what was seen
--EXTENSIONS--
weft
igbinary
--FILE--
<?php
require __DIR__ . '/../engine_state/interleave.inc';

final class Waits
{
    public array $kept = [];

    public function __construct(public object|int $self = 0, public int $me = 0)
    {
    }

    public function __serialize(): array
    {
        between();
        return [$this->self, $this->me, $this->kept];
    }

    public function __unserialize(array $data): void
    {
        between();
        [$this->self, $this->me, $this->kept] = $data;
    }
}

interleave('igbinary', function (int $me): bool {
    between();
    $shared = new Waits(0, $me);
    $value = [new Waits($shared, $me), $shared, new Waits($shared, $me), str_repeat("$me", 100), ["$me" => "$me"]];
    $back = igbinary_unserialize(igbinary_serialize($value));
    return $back == $value && $back[0]->self === $back[1] && $back[2]->self === $back[1];
});
?>
--EXPECT--
igbinary: right
