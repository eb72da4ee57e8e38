--TEST--
soap: each call keeps its service, its class map and whom errors go to while others run
--EXTENSIONS--
weft
soap
--SKIPIF--
<?php
if (PHP_VERSION_ID >= 80400) {
    die('skip where this PHP keeps it is not known: soap is never left');
}
?>
--FILE--
<?php
require __DIR__ . '/../engine_state/interleave.inc';

for ($i = 0; $i < 8; $i++) {
    eval("final class Person$i { public int \$id; public string \$name; }");
}

/** A service whose answers have a field named after it: read with another's description they would be empty. */
function description(int $me, string $address): string
{
    $file = tempnam(sys_get_temp_dir(), 'weft');
    file_put_contents($file, <<<XML
        <?xml version="1.0"?>
        <definitions name="S$me" targetNamespace="urn:s$me" xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:tns="urn:s$me"
          xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:xsd="http://www.w3.org/2001/XMLSchema">
          <types><xsd:schema targetNamespace="urn:s$me">
            <xsd:complexType name="Person"><xsd:sequence>
              <xsd:element name="id" type="xsd:int"/><xsd:element name="name" type="xsd:string"/>
            </xsd:sequence></xsd:complexType>
          </xsd:schema></types>
          <message name="askRequest"><part name="id" type="xsd:int"/></message>
          <message name="askResponse"><part name="return" type="tns:Person"/></message>
          <portType name="P"><operation name="ask$me">
            <input message="tns:askRequest"/><output message="tns:askResponse"/>
          </operation></portType>
          <binding name="B" type="tns:P">
            <soap:binding style="rpc" transport="http://schemas.xmlsoap.org/soap/http"/>
            <operation name="ask$me"><soap:operation soapAction="urn:ask"/>
              <input><soap:body use="encoded" namespace="urn:s$me" encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"/></input>
              <output><soap:body use="encoded" namespace="urn:s$me" encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"/></output>
            </operation>
          </binding>
          <service name="S"><port name="P" binding="tns:B"><soap:address location="http://$address/$me"/></port></service>
        </definitions>
        XML);

    return $file;
}

function answer($client): void
{
    $head = '';
    while (!str_contains($head, "\r\n\r\n")) {
        $head .= fread($client, 8192);
    }
    preg_match('~/(\d+) HTTP~', $head, $path);
    preg_match('~Content-Length: (\d+)~i', $head, $length);
    [, $body] = explode("\r\n\r\n", $head, 2);
    while (strlen($body) < (int) $length[1]) {
        $body .= fread($client, 8192);
    }
    preg_match('~<id[^>]*>(\d+)</id>~', $body, $id);
    $me = $path[1];
    $xml = '<?xml version="1.0"?><e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"' .
        ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:n="urn:s' . $me . '">' .
        "<e:Body><n:ask{$me}Response><return xsi:type=\"n:Person\"><id xsi:type=\"xsd:int\">$id[1]</id>" .
        "<name xsi:type=\"xsd:string\">name $me</name></return></n:ask{$me}Response></e:Body></e:Envelope>";
    between();
    $answer = "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: " . strlen($xml) . "\r\nConnection: close\r\n\r\n$xml";
    foreach (str_split($answer, 200) as $piece) {
        fwrite($client, $piece);
        between();
    }
    fclose($client);
}

$listener = stream_socket_server('tcp://127.0.0.1:0');
$address = stream_socket_get_name($listener, false);
$server = Async\spawn(function () use ($listener): void {
    while ($client = @stream_socket_accept($listener, 10)) {
        Async\spawn(answer(...), $client);
    }
});

interleave('answers', function (int $me) use ($address): bool {
    $file = description($me, $address);
    $client = new SoapClient($file, ['cache_wsdl' => WSDL_CACHE_NONE, 'classmap' => ['Person' => "Person$me"]]);
    unlink($file);
    for ($i = 0; $i < 5; $i++) {
        $person = $client->{"ask$me"}($me * 100 + $i);
        if ($person::class !== "Person$me" || $person->id !== $me * 100 + $i || $person->name !== "name $me") {
            return false;
        }
    }
    return true;
});

interleave('errors', function (int $me) use ($address): bool {
    if ($me % 2 === 0) {
        $file = description($me, $address);
        $client = new SoapClient($file, ['cache_wsdl' => WSDL_CACHE_NONE]);
        unlink($file);
        for ($i = 0; $i < 5; $i++) {
            $client->{"ask$me"}($i);
        }
        return true;
    }
    $heard = 0;
    for ($i = 0; $i < 10; $i++) {
        between();
        try {
            $heard += @trigger_error("nobody's fault", E_USER_WARNING) && error_get_last()['message'] === "nobody's fault" ? 1 : 0;
        } catch (SoapFault) {
            return false;
        }
    }
    return $heard === 10;
});

echo "and then: ", use_soap_error_handler(false) ? 'soap takes errors' : 'as before', "\n";
$server->cancel();
?>
--EXPECT--
answers: right
errors: right
and then: as before
