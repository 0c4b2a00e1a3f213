/**
 * A certificate for the name `receiver.test`, signed by its own key, valid from 2020 to 2120. Node cannot create
 * certificates, so it was made once, with `openssl ca -selfsign`. The key protects nothing: it is published here.
 */
export const CERTIFICATE = {
  name: 'receiver.test',
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgFClosAnMsb6FuOA+
KC8ptVDBa9hIEK8pP84xTzqGRgChRANCAAQshPqCsbZkJQbqloGvr4Monm4cX6Ep
Qb7K0TP/ArHpMUDPjwrZxhQMF4V3l6TmytVItb/0dXZXPHtJvAi26RvC
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBfzCCASagAwIBAgIUD/A20vKFU40Uccdi1Bjh3yW56IgwCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNcmVjZWl2ZXIudGVzdDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIw
MDEwMTAwMDAwMFowGDEWMBQGA1UEAwwNcmVjZWl2ZXIudGVzdDBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABCyE+oKxtmQlBuqWga+vgyiebhxfoSlBvsrRM/8Csekx
QM+PCtnGFAwXhXeXpObK1Ui1v/R1dlc8e0m8CLbpG8KjTDBKMBgGA1UdEQQRMA+C
DXJlY2VpdmVyLnRlc3QwDwYDVR0TAQH/BAUwAwEB/zAdBgNVHQ4EFgQUD6Qj25vJ
wQyhA+HjzRnfcs59xhwwCgYIKoZIzj0EAwIDRwAwRAIgYUQ2CbIAIsOa1e4MdltU
ELxRt2+c7fkApxviiz27yHcCICwwY6v/rLI9gp6BcPqFvpzvQHGizkJ7SQi56rcE
wEhS
-----END CERTIFICATE-----
`,
}

/** Another for `localhost`, made in the same way: it is its own authority, for those who say that they trust it. */
export const LOCAL_CERTIFICATE = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgExg+M/RU721NCHWi
yWYfcgIAaFUuk1984dm+XN/hOf2hRANCAAQKNy4swRZiRaAbNQcL/ciS86VuKYpE
LeNHcd/70IV68VyPAVje85Mp+PGMyAa+IjwBrx8a5j1GH2gZjiGmUzaz
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBdTCCARqgAwIBAgIULKqqJQPeUW2xei4jhgKMMKPAkvEwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAx
MDAwMDAwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQKNy4swRZiRaAbNQcL/ciS86VuKYpELeNHcd/70IV68VyPAVje85Mp
+PGMyAa+IjwBrx8a5j1GH2gZjiGmUzazo0gwRjAUBgNVHREEDTALgglsb2NhbGhv
c3QwDwYDVR0TAQH/BAUwAwEB/zAdBgNVHQ4EFgQUIIMeHB6WbsvS6hbt+YlBnHqf
Eq4wCgYIKoZIzj0EAwIDSQAwRgIhAOOot3DSJZ2tI9Haycw62lzldTa6+JlBK55j
vktk+lSnAiEA4QTxM6eG3XWAdMd4I2ssZxxgSaF2yhO8l1NLSqhya1M=
-----END CERTIFICATE-----
`,
}
