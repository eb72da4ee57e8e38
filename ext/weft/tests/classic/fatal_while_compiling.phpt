--TEST--
Classic mode: a fatal error while code is compiled or a class is linked leaves nothing of that to the next request
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/site.inc';

$site = new Site([
    'unlinkable.php' => 'class A { public function method(): B { return new B; } } class_alias("A", "B");'
        . 'class C extends A { public function method(): Missing { return new Missing; } } echo "linked";',
    'trait.php' => 'trait T { abstract public function method($r): Missing; } class X { public function method($a): Other {} } class U extends X { use T; } echo "used";',
    'loop.php' => 'foreach ([1] as $x) { foreach ([2] as $y) { break 9; } }',
    'break.php' => 'foreach ([1, 2] as $x) { echo $x; if ($x === 1) { return; } }',
    'private.php' => 'class P { private function __destruct() {} } $p = new P; echo "end";',
    'index.php' => 'echo "fine"; trigger_error("told", E_USER_WARNING);',
], ['opcache.enable_cli=1']);
foreach (['unlinkable', 'trait', 'unlinkable', 'trait', 'loop', 'break', 'loop', 'index', 'private'] as $script) {
    echo "$script: ", preg_replace(['/\s+/', '/ in .*/'], [' ', ''], $site->get("/$script.php")), "\n";
}
echo $site->stop();
--EXPECT--
unlinkable: 500 
trait: 500 
unlinkable: 500 
trait: 500 
loop: 500 
break: 200 1
loop: 500 
index: 200 fine
private: 200 end
exit status 0
PHP Fatal error:  Could not check compatibility between C::method(): Missing and A::method(): B, because class Missing is not available in ROOT/unlinkable.php on line 2
PHP Fatal error:  Could not check compatibility between X::method($a): Other and T::method($r): Missing, because class Other is not available in ROOT/trait.php on line 2
PHP Fatal error:  Could not check compatibility between C::method(): Missing and A::method(): B, because class Missing is not available in ROOT/unlinkable.php on line 2
PHP Fatal error:  Could not check compatibility between X::method($a): Other and T::method($r): Missing, because class Other is not available in ROOT/trait.php on line 2
PHP Fatal error:  Cannot 'break' 9 levels in ROOT/loop.php on line 2
PHP Fatal error:  Cannot 'break' 9 levels in ROOT/loop.php on line 2
PHP Warning:  told in ROOT/index.php on line 2
PHP Warning:  Call to private P::__destruct() from global scope during shutdown ignored in Unknown on line 0
