<?php

declare(strict_types=1);

namespace Weft\WebSocketProbe;

/** What Autobahn's reports call a case's outcome. Only FAILED and UNIMPLEMENTED are wrong. */
enum Kind: string
{
    case Ok = 'OK';
    /** Allowed, but not what a careful server does: it noticed an error late, say. */
    case NonStrict = 'NON-STRICT';
    /** The RFC leaves it open. */
    case Informational = 'INFORMATIONAL';
    case Unimplemented = 'UNIMPLEMENTED';
    case Failed = 'FAILED';
}
