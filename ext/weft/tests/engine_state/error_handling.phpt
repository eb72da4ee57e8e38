--TEST--
A constructor that turns warnings into exceptions does so for its own coroutine only
--EXTENSIONS--
weft
spl
--FILE--
<?php
require __DIR__ . '/interleave.inc';

final class Slow
{
    public $context;

    public function stream_open(string $path): bool
    {
        between();
        between();
        return false;
    }

    public function url_stat(): array|false
    {
        between();
        between();
        return false;
    }
}
stream_wrapper_register('slow', Slow::class);
interleave('SplFileObject', function (int $me): bool {
    if ($me % 2) {
        try {
            new SplFileObject("slow://$me");
        } catch (RuntimeException $e) {
            return str_contains($e->getMessage(), 'SplFileObject');
        }
        return false;
    }
    for ($i = 0; $i < 5; $i++) {
        between();
        $value = @file_get_contents('/nonexistent');
    }
    return $value === false;
});
?>
--EXPECT--
SplFileObject: right
