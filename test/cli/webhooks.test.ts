import { describe, expect, it } from 'vitest'
import { environmentOf, runHere } from '../harness/command-line.ts'
import { run, temporaryFolder } from '../harness/process.ts'
import { withWebhooks } from '../harness/webhooks.ts'

const { the, subscribe, ping, end } = withWebhooks()
const folder = temporaryFolder()

const argsOf = (args: readonly string[]) => ['webhooks', ...args, '--account', String(the.agency.number)]
const webhooks = (...args: string[]) => runHere(argsOf(args), folder, environmentOf(the.cell))
/** Runs it as a process of its own, as people do. */
const asProcess = (...args: string[]) => run(argsOf(args), folder, environmentOf(the.cell))
const json = async (...args: string[]) => JSON.parse((await webhooks(...args, '--json')).stdout)

describe('backdesk webhooks', () => {
  it('lists webhooks and deliveries, and sends again one or all that failed, without telling a secret', async () => {
    const { id } = await subscribe({ entities: ['tickets'] })
    const [one, two] = [await ping(id), await ping(id)]
    await end(one.id, 'failed', '2026-05-01T10:00:00Z')
    const listed = await webhooks('list', '--json')
    expect(JSON.parse(listed.stdout).webhooks).toMatchObject([{ id, active: true, role: 'owner', pending: 1 }])
    expect(listed.stdout).not.toMatch(/whsec_|signing_key/)
    const ids = async (...args: string[]) =>
      (await json('deliveries', id, ...args)).deliveries.map((delivery: { id: string }) => delivery.id)
    expect(await ids()).toEqual([two.id, one.id])
    expect([await ids('--status', 'failed'), await ids('--limit', '1')]).toEqual([[one.id], [two.id]])
    const again = await json('redeliver', id, '--delivery', one.id)
    expect(again).toEqual({ redelivered: 1, delivery: expect.any(String) })
    await end(again.delivery, 'failed', '2026-05-01T11:00:00Z')
    expect(await json('redeliver', id, '--since', '2026-05-01T09:00:00Z')).toEqual({ redelivered: 1 })
    expect((await asProcess('list')).stdout).toContain(id)
    expect((await webhooks('deliveries', id)).stdout).toContain('ping')
  })
  it('reports errors', async () => {
    const { id } = await subscribe()
    const made = await ping(id)
    const nobody = '01890000-0000-7000-8000-000000000000'
    for (const [expectedText, ...args] of [
      ['is pending', 'redeliver', id, '--delivery', made.id],
      ['No webhook', 'redeliver', nobody, '--since', '2026-05-01T09:00:00Z'],
      ['No webhook', 'deliveries', nobody],
      ['either --delivery or --since', 'redeliver', id],
      ['--since takes', 'redeliver', id, '--since', 'yesterday'],
      ['--status takes', 'deliveries', id, '--status', 'lost'],
      ['not the id', 'deliveries', 'x'],
    ] as [string, ...string[]][]) {
      const { code, stderr } = await webhooks(...args)
      expect([args, code, stderr]).toEqual([args, 1, expect.stringContaining(expectedText)])
    }
  })
})
