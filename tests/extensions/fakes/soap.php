<?php

declare(strict_types=1);

// A SOAP service for `php -S`: /even and /odd answer with types of different shapes, after a moment in which others come.

usleep(5000);
$of = static fn (string $name): string => is_string($_SERVER[$name] ?? null) ? $_SERVER[$name] : '';
$service = trim((string) parse_url($of('REQUEST_URI'), PHP_URL_PATH), '/');
$address = "http://{$of('HTTP_HOST')}/$service";
header('Content-Type: text/xml; charset=utf-8');
if (isset($_GET['wsdl'])) {
    $own = $service === 'even' ? '<s:element name="even" type="s:string"/>' : '<s:element name="odd" type="s:double"/>';
    $operations = static fn (string $inside): string => implode('', array_map(
        static fn (string $name): string => "<operation name=\"$name\">" . str_replace('NAME', $name, $inside) . '</operation>',
        ['ask', 'fail'],
    ));
    $body = '<soap:body use="literal"/>';
    echo <<<XML
        <?xml version="1.0"?>
        <definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:s="http://www.w3.org/2001/XMLSchema"
            xmlns:t="urn:$service" targetNamespace="urn:$service">
        <types><s:schema targetNamespace="urn:$service" elementFormDefault="qualified">
        <s:complexType name="Question"><s:sequence><s:element name="who" type="s:int"/></s:sequence></s:complexType>
        <s:complexType name="Answer"><s:sequence><s:element name="who" type="s:int"/>$own</s:sequence></s:complexType>
        <s:element name="question" type="t:Question"/><s:element name="answer" type="t:Answer"/>
        </s:schema></types>
        <message name="In"><part name="parameters" element="t:question"/></message>
        <message name="Out"><part name="parameters" element="t:answer"/></message>
        <portType name="Port">{$operations('<input message="t:In"/><output message="t:Out"/>')}</portType>
        <binding name="Binding" type="t:Port"><soap:binding style="document" transport="http://schemas.xmlsoap.org/soap/http"/>
        {$operations("<soap:operation soapAction=\"NAME\"/><input>$body</input><output>$body</output>")}</binding>
        <service name="Service"><port name="Port" binding="t:Binding"><soap:address location="$address"/></port></service>
        </definitions>
        XML;

    return;
}
$question = (string) file_get_contents('php://input');
$who = preg_match('/who>(\d+)</', $question, $match) === 1 ? (int) $match[1] : 0;
usleep(1000 * (5 + $who % 7));
if (str_contains($of('HTTP_SOAPACTION'), 'fail')) {
    http_response_code(500);
    $inside = "<e:Fault><faultcode>e:Server</faultcode><faultstring>no service for $who</faultstring></e:Fault>";
} else {
    $own = $service === 'even' ? "<t:even>even answer for $who</t:even>" : '<t:odd>' . ($who + 0.5) . '</t:odd>';
    $inside = "<t:answer><t:who>$who</t:who>$own</t:answer>";
}
echo "<?xml version=\"1.0\"?><e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\" xmlns:t=\"urn:$service\"><e:Body>$inside</e:Body></e:Envelope>";
