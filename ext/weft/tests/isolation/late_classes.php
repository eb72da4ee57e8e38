<?php
require __DIR__ . '/in_domains.inc';

spl_autoload_register(function (string $class): void {
    if ($class === 'Late') {
        require __DIR__ . '/late.inc';
    }
});
if (false) {
    class NeverDeclared extends Late {}
}
Weft\Isolation\snapshot();
in_domains(function (string $me) {
    $before = [Late::$value, Late::$expression, Late::count(), late_function()];
    Late::$value[] = $me;
    Late::$expression = $me;
    turn();
    late_function();
    turn();
    return [$before, [Late::$value, Late::$expression, Late::count(), late_function()]];
});
echo json_encode([Late::$value, Late::$expression, Late::count(), late_function()]), "\n";
var_dump(Weft\Isolation\stats()['lateClasses'] > 0);
?>
