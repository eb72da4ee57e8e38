--TEST--
Warm: arrays with string keys are merged element by element, of adopted objects too
--FILE--
<?php
require __DIR__ . '/warm.inc';

class Session
{
    public function __construct(public string $who) {}
}
class Manager
{
    public array $drivers = [];
    public array $options = ['declared' => 1];
}
class Container
{
    public array $instances = ['boot' => 'kept', 'later' => 'removed'];
    public array $replaced = ['key' => 'cold'];
}

$container = new Container();
Weft\Isolation\snapshot();
show(warm(function (string $who) use ($container): void {
    $container->instances['manager'] = new Manager();
    $container->instances['manager']->drivers['file'] = new Session('nobody');
    $container->instances['manager']->drivers['session'] = new Session($who);
    $container->instances['session'] = $container->instances['manager']->drivers['session'];
    $container->instances["only $who"] = 1;
    unset($container->instances['later']);
    $container->replaced['key'] = $who;
}));
var_dump($container);
?>
--EXPECTF--
adopted Container::$instances[later]
adopted Container::$instances[manager]
adopted Manager::$drivers[file]
restored Container::$instances[only ann]: only one has it
restored Container::$instances[session]: holds an object that differs
restored Container::$replaced[key]: different strings
restored Manager::$drivers[session]: holds an object that differs
object(Container)#%d (2) {
  ["instances"]=>
  array(2) {
    ["boot"]=>
    string(4) "kept"
    ["manager"]=>
    object(Manager)#%d (2) {
      ["drivers"]=>
      array(1) {
        ["file"]=>
        object(Session)#%d (1) {
          ["who"]=>
          string(6) "nobody"
        }
      }
      ["options"]=>
      array(1) {
        ["declared"]=>
        int(1)
      }
    }
  }
  ["replaced"]=>
  array(1) {
    ["key"]=>
    string(4) "cold"
  }
}
