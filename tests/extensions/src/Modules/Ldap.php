<?php

declare(strict_types=1);

namespace Weft\ExtensionTests\Modules;

use Weft\ExtensionTests\Module;
use Weft\ExtensionTests\Servers;

/** Entries of slapd that only their owner may read. */
final class Ldap implements Module
{
    private const BASE = 'dc=example,dc=test';

    public function name(): string
    {
        return 'ldap';
    }

    public function start(Servers $servers, int $visitors): array
    {
        $directory = $servers->directory('slapd');
        $port = Servers::freePort();
        $base = self::BASE;
        mkdir("$directory/data");
        $servers->run([
            'openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-subj', '/CN=localhost',
            '-keyout', "$directory/key.pem", '-out', "$directory/certificate.pem",
        ]);
        $servers->write("$directory/slapd.conf", <<<CONF
            include /etc/ldap/schema/core.schema
            include /etc/ldap/schema/cosine.schema
            include /etc/ldap/schema/inetorgperson.schema
            modulepath /usr/lib/ldap
            moduleload back_mdb
            pidfile $directory/pid
            TLSCertificateFile $directory/certificate.pem
            TLSCertificateKeyFile $directory/key.pem
            database mdb
            suffix "$base"
            directory $directory/data
            maxsize 33554432
            access to attrs=userPassword by anonymous auth by * none
            access to dn.children="$base" by self read by * search
            access to * by * read
            CONF);
        $entries = "dn: $base\nobjectClass: dcObject\nobjectClass: organization\ndc: example\no: Example\n\n";
        foreach (range(1, $visitors) as $who) {
            $entries .= "dn: uid=visitor$who,$base\nobjectClass: inetOrgPerson\nuid: visitor$who\ncn: Visitor $who\nsn: $who\nuserPassword: secret$who\n\n";
        }
        $servers->run([Servers::program('slapadd'), '-f', "$directory/slapd.conf", '-l', $servers->write("$directory/entries.ldif", $entries)]);
        $servers->start([Servers::program('slapd'), '-d', '0', '-f', "$directory/slapd.conf", '-h', "ldap://127.0.0.1:$port"], $port);

        $slow = Servers::freePort();
        $servers->php([dirname(__DIR__, 2) . '/fakes/slow-line.php', (string) $slow, (string) $port], $slow);

        return ['port' => (string) $slow];
    }

    public function visit(int $who, array $at): array
    {
        $own = "uid=visitor$who," . self::BASE;
        // a connection takes over what holds when it is made
        ldap_set_option(null, LDAP_OPT_X_TLS_REQUIRE_CERT, LDAP_OPT_X_TLS_NEVER);
        $link = ldap_connect("ldap://localhost:$at[port]");
        if ($link === false) {
            return ['connect' => false];
        }
        ldap_set_option($link, LDAP_OPT_PROTOCOL_VERSION, 3);
        ldap_set_option($link, LDAP_OPT_NETWORK_TIMEOUT, 10);
        $seen = ['tls' => @ldap_start_tls($link)];
        $seen += ['bind' => @ldap_bind($link, $own, "secret$who")];
        $seen['who'] = ldap_exop_whoami($link);
        $found = @ldap_search($link, self::BASE, '(objectClass=inetOrgPerson)', ['cn']);
        $entries = $found instanceof \LDAP\Result ? ldap_get_entries($link, $found) : [];
        $names = [];
        foreach (is_array($entries) ? $entries : [] as $entry) {
            $names[] = is_array($entry) && is_array($entry['cn']) ? $entry['cn'][0] : null;
        }
        $seen['names'] = array_values(array_filter($names));
        @ldap_read($link, "uid=none-of-$who," . self::BASE, '(objectClass=*)');
        $seen['error'] = ldap_error($link);
        ldap_get_option($link, LDAP_OPT_MATCHED_DN, $matched);
        $seen['matched'] = $matched;
        $other = ldap_connect("ldap://localhost:$at[port]");
        if ($other !== false) {
            ldap_set_option($other, LDAP_OPT_PROTOCOL_VERSION, 3);
        }
        $seen['refused'] = $other !== false && @ldap_bind($other, $own, 'wrong');
        $seen['other error'] = $other === false ? '' : ldap_error($other);
        $seen['own error'] = ldap_error($link);
        ldap_unbind($link);

        return $seen;
    }

    public function expected(int $who): array
    {
        return [
            'tls' => true,
            'bind' => true,
            'who' => "dn:uid=visitor$who," . self::BASE,
            'names' => ["Visitor $who"],
            'error' => 'No such object',
            'matched' => self::BASE,
            'refused' => false,
            'other error' => 'Invalid credentials',
            'own error' => 'No such object',
        ];
    }
}
