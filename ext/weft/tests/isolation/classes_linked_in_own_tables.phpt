--TEST--
A class of the boot's code goes with the domain that has linked it in tables of its own
--EXTENSIONS--
weft
--INI--
opcache.enable=1
opcache.enable_cli=1
opcache.file_update_protection=0
--SKIPIF--
<?php if (!function_exists('opcache_get_status')) die('skip OPcache is not loaded'); ?>
--FILE--
<?php
// Classes of the boot's code that a domain with tables of its own links: they go with it.
use function Weft\Isolation\run;

class Parents
{
    public function calls(): int
    {
        static $calls = 0;
        return ++$calls;
    }
}
final class Tells
{
    public function __construct(private string $what)
    {
    }

    public function __destruct()
    {
        echo "  $this->what goes\n";
    }
}
function anonymous(): Parents
{
    return new class extends Parents {
        public const TEXT = KEY . ' constant';
        public static mixed $static = null;
        public array $list = ['default', KEY];

        public function remembers(): void
        {
            static $variable = null;
            $variable ??= new Tells('what a variable of a class without a name holds');
        }
    };
}
function conditional(): Parents
{
    if (!class_exists('Conditional', false)) {
        class Conditional extends Parents
        {
            public const TEXT = KEY . ' constant';
            public static mixed $static = null;
            public array $list = ['default', KEY];

            public function remembers(): void
            {
                static $variable = null;
                $variable ??= new Tells('what a variable of a conditional class holds');
            }
        }
    }
    return new Conditional();
}
Weft\Isolation\snapshot();

foreach ([1, 2] as $round) {
    run(static function () use ($round): void {
        define('KEY', "key $round");
        foreach (['a conditional class' => conditional(), 'a class without a name' => anonymous()] as $what => $object) {
            $object->remembers();
            $object::$static = new Tells("what a static property of $what holds");
            echo $object->list[1], ', ', $object::TEXT, ', ', $object->calls(), "\n";
        }
    });
    echo "the domain is gone\n";
}
// all that they hold goes, not just its values
$request = static function (): void {
    define('KEY', 'key');
    foreach ([conditional(), anonymous()] as $object) {
        $object::$static = str_repeat($object::TEXT, 100);
    }
};
foreach ([10, 500] as $requests) {
    for ($i = 0; $i < $requests; $i++) {
        run($request);
    }
    $used[] = memory_get_usage();
}
// it was more than 1 KB for each
echo 'grows: ', json_encode($used[1] - $used[0] > 100_000), "\n";
// an object may outlive the domain
$objects = run(static function (): array {
    define('KEY', 'outlives');
    return [conditional(), anonymous()];
});
for ($i = 0; $i < 20; $i++) {
    run($request);
}
foreach ($objects as $object) {
    echo $object::class === 'Conditional' ? 'conditional' : 'without a name', ', ', $object->list[1], "\n";
}
?>
--EXPECT--
key 1, key 1 constant, 1
key 1, key 1 constant, 2
  what a variable of a conditional class holds goes
  what a static property of a conditional class holds goes
  what a variable of a class without a name holds goes
  what a static property of a class without a name holds goes
the domain is gone
key 2, key 2 constant, 1
key 2, key 2 constant, 2
  what a variable of a conditional class holds goes
  what a static property of a conditional class holds goes
  what a variable of a class without a name holds goes
  what a static property of a class without a name holds goes
the domain is gone
grows: false
conditional, outlives
without a name, outlives
