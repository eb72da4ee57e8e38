<?php

declare(strict_types=1);

namespace Weft\ExtensionTests\Modules;

use Weft\ExtensionTests\Module;
use Weft\ExtensionTests\Servers;

/** An agent that runs a program of each visitor's own, and knows each by a community. */
final class Snmp implements Module
{
    /** NET-SNMP-EXTEND-MIB::nsExtendOutput1Line */
    private const LINE = '.1.3.6.1.4.1.8072.1.3.2.3.1.1';

    public function name(): string
    {
        return 'snmp';
    }

    public function start(Servers $servers, int $visitors): array
    {
        $directory = $servers->directory('snmpd');
        $port = Servers::freePort();
        $lines = "agentaddress udp:127.0.0.1:$port\n";
        foreach (range(1, $visitors) as $who) {
            $lines .= "rocommunity secret$who 127.0.0.1\nextend v$who /bin/echo value of $who\n";
        }
        $servers->write("$directory/snmpd.conf", $lines);
        $servers->start(
            [Servers::program('snmpd'), '-f', '-C', '-c', "$directory/snmpd.conf", '-Lf', "$directory/log", '-p', "$directory/pid"],
            null,
            ['SNMP_PERSISTENT_DIR' => $directory],
        );
        // it has UDP only: nothing to connect to
        usleep(1_000_000);

        return ['port' => (string) $port];
    }

    public function visit(int $who, array $at): array
    {
        $index = implode('.', array_map(ord(...), str_split("v$who")));
        $oid = self::LINE . '.' . strlen("v$who") . ".$index";
        $seen = ['function' => @snmp2_get("127.0.0.1:$at[port]", "secret$who", $oid, 5_000_000, 1)];
        $session = new \SNMP(\SNMP::VERSION_2c, "127.0.0.1:$at[port]", "secret$who", 5_000_000, 1);
        $session->valueretrieval = SNMP_VALUE_PLAIN;
        foreach (range(1, 3) as $i) {
            $seen["method $i"] = @$session->get($oid);
        }
        $seen['none'] = @$session->get("1.3.6.1.4.1.8072.9999.$who");
        $seen['error'] = preg_match("/9999\\.$who\\b/", $session->getError()) === 1;
        $session->close();

        return $seen;
    }

    public function expected(int $who): array
    {
        $text = "value of $who";

        return ['function' => "STRING: \"$text\"", 'method 1' => $text, 'method 2' => $text, 'method 3' => $text, 'none' => false, 'error' => true];
    }
}
