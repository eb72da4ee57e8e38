<?php

/** @generate-class-entries */

/** @return array<string, string> */
function getallheaders(): array
{
}

/** @implementation-alias getallheaders */
function apache_request_headers(): array
{
}

/** @return array<string, string> */
function apache_response_headers(): array
{
}

function fastcgi_finish_request(): bool
{
}

function headers_send(int $status = 200): int
{
}
