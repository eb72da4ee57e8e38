--TEST--
What statics, hidden or C state of a domain have held in a cycle is destroyed at its end, not in whoever runs the collector
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

final class Domain
{
    public static string $name = 'base';
    public static ?SplObjectStorage $storage = null;
    public static ?WeakMap $map = null;
}

Domain::$storage = new SplObjectStorage();
Domain::$map = new WeakMap();
$key = new stdClass();
$declaration = <<<'PHP'
    final class Own
    {
        public static ?object $kept = null;
        private self $itself;

        public function __construct(private string $name)
        {
            $this->itself = $this;
        }

        public function __destruct()
        {
            // C state goes last: there is the class of the object, but the values are the base's again
            echo "$this->name of ", class_exists('Own', false) ? Domain::$name : 'somebody else', "\n";
        }
    }

    function keep(object $object): void
    {
        static $kept;
        $kept = $object;
    }
    PHP;

Weft\Isolation\snapshot();
$work = static function (string $me) use ($declaration, $key): void {
    Domain::$name = $me;
    if ($me !== 'b') {
        eval($declaration);
        Own::$kept = new Own('held by a static property');
        keep(new Own('held by a static variable'));
        Domain::$storage[new Own('held by hidden state')] = true;
        Domain::$map[$key] = new Own('held by a map');
        set_error_handler([new Own('held by C state'), '__construct']);
    }
    turn();
};
in_domains($work);
in_domains(static function (string $me): void {
    Domain::$name = "later $me";
    gc_collect_cycles();
    turn();
});
gc_collect_cycles();
echo "end\n";
?>
--EXPECT--
held by a static property of a
held by a static variable of a
held by hidden state of a
held by a map of a
held by C state of base
a: null
b: null
a: null
b: null
end
