--TEST--
Warm: a table that is empty until a method asks for something that lies ready
--FILE--
<?php
use function Weft\Isolation\{end_demand, on_demand, run, snapshot, snapshot_again};

class Manager
{
    protected $made = [];
    public $open = [];
    public array $typed = [];
    public $full = [1];
    public static $static = [];

    public function get($name)
    {
        $name = strtolower($name);
        if (!isset($this->made[$name])) {
            $this->made[$name] = "made $name";
        }

        return $this->made[$name];
    }

    public function drop($name)
    {
        if (isset($this->made[$name])) {
            echo "drops it\n";
        }
        unset($this->made[$name]);
    }

    public function all()
    {
        return $this->made;
    }

    public function isTable()
    {
        return isset($this->made);
    }

    public function vars()
    {
        return get_object_vars($this)['made'];
    }

    public function put($name)
    {
        $this->made[$name] = "put $name";
    }

    public function replace($table)
    {
        $this->made = $table;
    }
}

class Magic extends Manager
{
    public function __get($name)
    {
        return null;
    }
}

$manager = new Manager();
$asked = static function (string $name) use ($manager): void {
    echo "asked for $name\n";
    if ($name === 'bad') {
        throw new Exception('not this one');
    }
    if ($name === 'ready') {
        (fn () => $this->made = [$name => "ready $name"])->call($manager);
    }
};
$line = static function (string ...$what): void {
    echo implode(', ', $what), "\n";
};
$json = json_encode(...);

snapshot();
foreach (['open' => true, 'typed' => false, 'full' => false, 'static' => false, 'none' => false] as $property => $expected) {
    if (on_demand(new Manager(), $property, 'get', $asked) !== $expected) {
        echo "wrong for $property\n";
    }
}
var_dump(on_demand(new Magic(), 'made', 'get', $asked));
var_dump(on_demand($manager, 'made', 'get', $asked));
var_dump(on_demand($manager, 'made', 'get', $asked));
snapshot_again();

// each time: what lies ready is lent once, and only to the method that asks for it
for ($i = 0; $i < 2; $i++) {
    run(function () use ($manager, $line, $json) {
        $line('nobody sees it', $json($manager->all()), $json($manager->isTable()));
    });
    run(function () use ($manager, $line, $json) {
        $line($json($manager->all()), $manager->get('READY'), $json($manager->all()), $manager->get('other'));
        $manager->drop('ready');
        $line($manager->get('ready'));
    });
    run(function () use ($manager, $line) {
        $line($manager->get('other'), $manager->get('ready'));
    });
}
run(function () use ($manager, $line) {
    $manager->drop('ready');
    $line('after a removal', $manager->get('ready'));
});
run(function () use ($manager, $line, $json) {
    $manager->put('own');
    $line('after a write', $manager->get('ready'), $manager->get('own'));
});
run(function () use ($manager, $line, $json) {
    $line('after a look at all properties', $json($manager->vars()), $manager->get('ready'));
});
run(function () use ($manager, $line) {
    $manager->replace(['ready' => 'replaced']);
    $line($manager->get('ready'));
});
run(function () use ($manager, $line, $json) {
    $clone = clone $manager;
    $line('a clone', $json($clone->all()), $clone->get('ready'), $json($manager->all()));
});
run(function () use ($manager, $line, $json) {
    try {
        $manager->get('bad');
    } catch (Exception $e) {
        $line($e->getMessage(), $json($manager->all()), $manager->get('ready'));
    }
    try {
        $manager->made;
    } catch (Error $e) {
        $line($e->getMessage());
    }
    print_r($manager);
    var_dump((array) $manager === (array) unserialize(serialize($manager)));
});
run(function () use ($manager) {
    try {
        end_demand($manager);
    } catch (Error $e) {
        echo $e->getMessage(), "\n";
    }
});
end_demand($manager);
snapshot_again();
run(function () use ($manager, $line) {
    $line('no more', $manager->get('ready'));
});
?>
--EXPECT--
bool(false)
bool(true)
bool(false)
nobody sees it, [], true
asked for ready
[], ready ready, {"ready":"ready ready"}, made other
drops it
made ready
asked for other
made other, made ready
nobody sees it, [], true
asked for ready
[], ready ready, {"ready":"ready ready"}, made other
drops it
made ready
asked for other
made other, made ready
after a removal, made ready
after a write, made ready, put own
after a look at all properties, [], made ready
replaced
a clone, [], made ready, []
asked for bad
asked for ready
not this one, [], ready ready
Cannot access protected property Manager::$made
Manager Object
(
    [made:protected] => Array
        (
            [ready] => ready ready
        )

    [open] => Array
        (
        )

    [typed] => Array
        (
        )

    [full] => Array
        (
            [0] => 1
        )

)
bool(true)
The base can be changed only outside of domains, when the snapshot has been taken
no more, made ready
