--TEST--
Whether a lazy object of the boot has been initialised is each domain's own
--EXTENSIONS--
weft
--SKIPIF--
<?php if (PHP_VERSION_ID < 80400) echo 'skip lazy objects came with PHP 8.4'; ?>
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

use function Weft\Isolation\{snapshot, stats, uncovered};

class Service
{
    public string $name = 'declared';
    public array $log = [];
    public readonly int $number;

    public function __construct(string $name)
    {
        $this->name = $name;
        $this->number = strlen($name);
    }
}

final class Inits
{
    public static string $domain = 'base';
    public static array $count = [];

    public static function ghost(Service $service): void
    {
        self::$count[__FUNCTION__] = (self::$count[__FUNCTION__] ?? 0) + 1;
        turn();
        $service->__construct('ghost of ' . self::$domain);
        turn();
    }

    public static function proxy(Service $service): Service
    {
        self::$count[__FUNCTION__] = (self::$count[__FUNCTION__] ?? 0) + 1;
        turn();
        $real = new Service('proxy of ' . self::$domain);
        turn();

        return $real;
    }
}

$class = new ReflectionClass(Service::class);
$base = [
    'ghost' => $class->newLazyGhost(Inits::ghost(...)),
    'named' => $class->newLazyGhost('Inits::ghost'),
    'closed' => $class->newLazyGhost(function (Service $service) use (&$calls): void {
        $calls++;
        turn();
        $service->__construct("call $calls of " . Inits::$domain);
    }),
    'proxy' => $class->newLazyProxy(Inits::proxy(...)),
    'real' => $class->newLazyProxy(fn () => new Service('real of the boot')),
    'marked' => $class->newLazyGhost(Inits::ghost(...)),
    'raw' => $class->newLazyGhost(Inits::ghost(...)),
    'fails' => $class->newLazyGhost(function (Service $service): void {
        $service->name = 'half';
        turn();
        throw new DomainException('not for ' . Inits::$domain);
    }),
    'failsToo' => $class->newLazyProxy(function (): Service {
        turn();
        throw new DomainException('not for ' . Inits::$domain);
    }),
    'plain' => new Service('plain'),
    'plainToo' => new Service('plain'),
    'again' => $class->newLazyProxy(fn () => new Service('first of the boot')),
];
$calls = 0;
$base['real']->log[] = 'boot';
$base['again']->name;

function states(ReflectionClass $class, array $base): string
{
    return implode('', array_map(fn (Service $service): string => $class->isUninitializedLazyObject($service) ? 'u' : 'i', $base));
}

echo 'boot: ', states($class, $base), "\n";
snapshot();
echo 'uncovered: ', json_encode(stats()['uncovered'] ?? null), ' ', count(uncovered()), "\n";

$work = function (string $domain) use ($class, $base): array {
    Inits::$domain = $domain;
    $seen = [states($class, $base)];
    turn();
    $class->getProperty('name')->setRawValueWithoutLazyInitialization($base['raw'], "raw $domain");
    foreach (['ghost', 'named', 'closed', 'proxy', 'real', 'raw'] as $name) {
        turn();
        $base[$name]->log[] = $domain;
        turn();
        $seen[$name] = [$base[$name]->name, $base[$name]->number, $base[$name]->log];
    }
    $class->markLazyObjectAsInitialized($base['marked']);
    $base['marked']->name .= " in $domain";
    foreach (['fails', 'failsToo'] as $name) {
        try {
            $base[$name]->log[] = 'never';
        } catch (DomainException $e) {
            $seen[$name] = [$e->getMessage(), $class->isUninitializedLazyObject($base[$name])];
        }
        turn();
    }
    $class->resetAsLazyGhost($base['plain'], function (Service $service) use ($domain): void {
        turn();
        $service->__construct("reset by $domain");
    });
    turn();
    $class->resetAsLazyProxy($base['plainToo'], fn () => new Service("replaced by $domain"));
    turn();
    $class->resetAsLazyProxy($base['again'], fn () => new Service("second of $domain"));
    $seen[] = states($class, $base);
    turn();
    foreach (['marked', 'plain', 'plainToo', 'again'] as $name) {
        $seen[$name] = $base[$name]->name;
        turn();
    }
    $seen[] = states($class, $base);
    $seen[] = spl_object_id($class->initializeLazyObject($base['proxy'])) !== spl_object_id($base['proxy']);
    $clone = clone $base['proxy'];
    $clone->name = 'a clone';
    $seen[] = $base['proxy']->name;
    $seen[] = Inits::$count;

    return $seen;
};
in_domains($work);
in_domains($work);
echo 'afterwards: ', states($class, $base), ' ', json_encode(Inits::$count), "\n";
echo $base['ghost']->name, ', ', $base['proxy']->name, ', ', json_encode($base['real']), "\n";
echo $base['plain']->name, ', ', $base['again']->name, "\n";
?>
--EXPECT--
boot: uuuuiuuuuiii
uncovered: [] 0
a: {"0":"uuuuiuuuuiii","ghost":["ghost of a",10,["a"]],"named":["ghost of a",10,["a"]],"closed":["call 1 of a",11,["a"]],"proxy":["proxy of a",10,["a"]],"real":["real of the boot",16,["boot","a"]],"raw":["ghost of a",10,["a"]],"fails":["not for a",true],"failsToo":["not for a",true],"1":"iiiiiiiuuuuu","marked":"declared in a","plain":"reset by a","plainToo":"replaced by a","again":"second of a","2":"iiiiiiiuuiii","3":true,"4":"proxy of a","5":{"ghost":3,"proxy":1}}
b: {"0":"uuuuiuuuuiii","ghost":["ghost of b",10,["b"]],"named":["ghost of b",10,["b"]],"closed":["call 1 of b",11,["b"]],"proxy":["proxy of b",10,["b"]],"real":["real of the boot",16,["boot","b"]],"raw":["ghost of b",10,["b"]],"fails":["not for b",true],"failsToo":["not for b",true],"1":"iiiiiiiuuuuu","marked":"declared in b","plain":"reset by b","plainToo":"replaced by b","again":"second of b","2":"iiiiiiiuuiii","3":true,"4":"proxy of b","5":{"ghost":3,"proxy":1}}
a: {"0":"uuuuiuuuuiii","ghost":["ghost of a",10,["a"]],"named":["ghost of a",10,["a"]],"closed":["call 1 of a",11,["a"]],"proxy":["proxy of a",10,["a"]],"real":["real of the boot",16,["boot","a"]],"raw":["ghost of a",10,["a"]],"fails":["not for a",true],"failsToo":["not for a",true],"1":"iiiiiiiuuuuu","marked":"declared in a","plain":"reset by a","plainToo":"replaced by a","again":"second of a","2":"iiiiiiiuuiii","3":true,"4":"proxy of a","5":{"ghost":3,"proxy":1}}
b: {"0":"uuuuiuuuuiii","ghost":["ghost of b",10,["b"]],"named":["ghost of b",10,["b"]],"closed":["call 1 of b",11,["b"]],"proxy":["proxy of b",10,["b"]],"real":["real of the boot",16,["boot","b"]],"raw":["ghost of b",10,["b"]],"fails":["not for b",true],"failsToo":["not for b",true],"1":"iiiiiiiuuuuu","marked":"declared in b","plain":"reset by b","plainToo":"replaced by b","again":"second of b","2":"iiiiiiiuuiii","3":true,"4":"proxy of b","5":{"ghost":3,"proxy":1}}
afterwards: uuuuiuuuuiii []
ghost of base, proxy of base, {"name":"real of the boot","log":["boot"],"number":16}
plain, first of the boot
