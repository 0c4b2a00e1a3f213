import { expect, it } from 'vitest'
import type { Principal } from '../access/principal.ts'
import { instruments } from '../metrics/instruments.ts'
import { keyTraffic } from './key-traffic.ts'

const keyOf = (account: number, id: string) => ({ kind: 'key', id, actor: { account } }) as Principal
const lines = () =>
  instruments()
    .filter(({ name }) => name.startsWith('backdesk_key_'))
    .flatMap((instrument) => instrument.lines())
    .filter((line) => /"(k1|k2|k3|k4|other)"/.test(line))

it('a process counts each key by its account and id, up to a number of them, and the later ones together', () => {
  const note = keyTraffic(2)
  for (const [account, id] of [
    [1, 'k1'],
    [1, 'k2'],
    [2, 'k3'],
    [3, 'k4'],
    [1, 'k1'],
  ] as const)
    note(keyOf(account, id), account === 1 ? 429 : 200, 0.5)
  expect(lines()).toEqual([
    'backdesk_key_requests_total{account="1",key="k1"} 2',
    'backdesk_key_requests_total{account="1",key="k2"} 1',
    'backdesk_key_requests_total{account="other",key="other"} 2',
    'backdesk_key_request_seconds_total{account="1",key="k1"} 1',
    'backdesk_key_request_seconds_total{account="1",key="k2"} 0.5',
    'backdesk_key_request_seconds_total{account="other",key="other"} 1',
    'backdesk_key_rate_limited_total{account="1",key="k1"} 2',
    'backdesk_key_rate_limited_total{account="1",key="k2"} 1',
    'backdesk_key_rate_limited_total{account="other",key="other"} 0',
  ])
})
