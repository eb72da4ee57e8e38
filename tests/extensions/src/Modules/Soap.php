<?php

declare(strict_types=1);

namespace Weft\ExtensionTests\Modules;

use SoapClient;
use SoapFault;
use Throwable;
use Weft\ExtensionTests\Module;
use Weft\ExtensionTests\Servers;

/** Two services with different WSDLs, one for even visitors and one for odd ones, each with a class map of its own. */
final class Soap implements Module
{
    public function name(): string
    {
        return 'soap';
    }

    public function start(Servers $servers, int $visitors): array
    {
        $port = Servers::freePort();
        $servers->php(['-S', "127.0.0.1:$port", dirname(__DIR__, 2) . '/fakes/soap.php'], $port, ['PHP_CLI_SERVER_WORKERS' => '16']);

        return ['port' => (string) $port];
    }

    public function visit(int $who, array $at): array
    {
        $service = $who % 2 === 0 ? 'even' : 'odd';
        $class = $who % 2 === 0 ? EvenAnswer::class : OddAnswer::class;
        $seen = [];
        try {
            $client = new SoapClient("http://127.0.0.1:$at[port]/$service?wsdl", [
                'classmap' => ['Answer' => $class],
                'cache_wsdl' => WSDL_CACHE_NONE,
                'trace' => true,
                'connection_timeout' => 20,
            ]);
            foreach (['first', 'second'] as $call) {
                $answer = $client->__soapCall('ask', [['who' => $who]]);
                $seen[$call] = [get_debug_type($answer), get_object_vars((object) $answer)];
            }
            $seen['sent'] = preg_match('/<[^>]*who>(\d+)</', (string) $client->__getLastRequest(), $match) === 1 ? (int) $match[1] : null;
            $seen['functions'] = $client->__getFunctions();
            $client->__soapCall('fail', [['who' => $who]]);
        } catch (SoapFault $fault) {
            $seen['fault'] = $fault->getMessage();
        } catch (Throwable $problem) {
            $seen['problem'] = $problem->getMessage();
        }

        return $seen;
    }

    public function expected(int $who): array
    {
        $answer = $who % 2 === 0
            ? [EvenAnswer::class, ['who' => $who, 'even' => "even answer for $who"]]
            : [OddAnswer::class, ['who' => $who, 'odd' => $who + 0.5]];

        return [
            'first' => $answer,
            'second' => $answer,
            'sent' => $who,
            'functions' => ['Answer ask(Question $parameters)', 'Answer fail(Question $parameters)'],
            'fault' => "no service for $who",
        ];
    }
}
