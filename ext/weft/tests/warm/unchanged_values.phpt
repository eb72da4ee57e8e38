--TEST--
Warm: whether properties have the values that they had
--FILE--
<?php
use function Weft\Isolation\are_unchanged;

class Container
{
    protected $rules = ['a' => 1];
    private $none;
    public $table = ['kept' => 1, 'changed' => 2, 'other' => 3];
    public static $static = 1;

    public function set($property, $value)
    {
        $this->$property = $value;
    }

    public function refer()
    {
        $this->rules = &$this->table['kept'];
    }
}
class Application extends Container
{
}

$application = new Application();
$yes = static function (string $what, array ...$places): void {
    echo $what, ': ', var_export(are_unchanged($places), true), "\n";
};

$yes('nothing to look at');
$yes('equal', [$application, 'rules', ['a' => 1]]);
$yes('another', [$application, 'rules', ['a' => '1']]);
$yes('no table', [$application, 'rules', null]);
$yes('all of a table', [$application, 'table', ['kept' => 1]]);
$yes('some of a table', [$application, 'table', ['kept' => 1, 'changed' => 2], true]);
$yes('and what is not there', [$application, 'table', ['kept' => 1, 'missing' => null, 7 => null], true]);
$yes('one of two places', [$application, 'table', ['kept' => 1], true], [$application, 'rules', []]);
$application->set('table', ['kept' => 1, 'missing' => 0]);
$yes('what has come', [$application, 'table', ['kept' => 1, 'missing' => null], true]);
$yes('what has gone', [$application, 'table', ['changed' => 2], true]);
$application->refer();
$yes('by reference', [$application, 'rules', 1]);
$application->set('table', 'none');
$yes('a table no more', [$application, 'table', ['missing' => null], true]);
unset($application->table);
$yes('unset', [$application, 'table', null]);
$yes('no such property', [$application, 'nowhere', null]);
$yes('a static one', [$application, 'static', 1]);
$yes('too short', [$application, 'rules']);
$yes('names instead of numbers', ['object' => $application, 'property' => 'rules', 'value' => 1]);
$yes('no object', ['Application', 'rules', 1]);
?>
--EXPECT--
nothing to look at: true
equal: true
another: false
no table: false
all of a table: false
some of a table: true
and what is not there: true
one of two places: false
what has come: false
what has gone: false
by reference: true
a table no more: false
unset: true
no such property: false
a static one: false
too short: false
names instead of numbers: false
no object: false
