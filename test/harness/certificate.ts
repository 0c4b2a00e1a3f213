/**
 * A certificate for the name `receiver.test`, signed by its own key, valid from 2020 to 2120. Node can make none, so it
 * was made once, with `openssl ca -selfsign`. The key guards nothing: it is published here.
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
