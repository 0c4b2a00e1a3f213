import { setImmediate } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { auditChainQueue } from '../../src/features/audit/chain.job.ts'
import { verifyChain } from '../../src/features/audit/reads/verify-chain.ts'
import { readUnsubscribe, unsubscribeUrl } from '../../src/features/communications/unsubscribe.ts'
import { replaceSigningKeys } from '../../src/features/privacy/commands/replace-signing-keys.ts'
import { rotateCellSecret } from '../../src/features/privacy/commands/rotate-cell-secret.ts'
import { readSurveyToken } from '../../src/features/surveys/survey-address.ts'
import { accountSecretsOf } from '../../src/platform/account-secrets.ts'
import { formerSecretsIn } from '../../src/platform/former-secrets.ts'
import { signedTextWith } from '../../src/platform/signed-text.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { openKeys, startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { ask } from '../harness/sql.ts'
import { GO_ON } from '../harness/worker.ts'

const FORMER = 'the former secret'
const NEW = 'the new secret'
const deps = { count: uncounted }

let cell: TestCell
beforeAll(async () => {
  cell = await startCell({ cellSecret: FORMER, deps })
})

const customers = Array.from({ length: 5 }, (_, nth) => ({ external_id: `C${nth}`, name: `Customer ${nth}` }))
async function agencyIn(where: TestCell): Promise<Agency> {
  const agency = await makeAgency(where)
  await importRows(where, agency.key, 'customers', customers)
  return agency
}
const page = async (where: TestCell, key: string, cursor?: string) => {
  const { status, body } = await where.call('GET', `/customers?limit=2${cursor ? `&cursor=${cursor}` : ''}`, { key })
  const { data, page: at } = body as { data?: { name: string }[]; page?: { next_cursor: string | null } }
  return { status, names: data?.map(({ name }) => name), next: at?.next_cursor ?? undefined }
}
const linkOf = ({ deps }: TestCell, { number }: Agency) => unsubscribeUrl(deps, number, 'x').split('/').at(-1) ?? ''
const reads = (where: TestCell, link: string) =>
  readUnsubscribe(where.deps.unsubscribing, link, formerSecretsIn(where.deps.db))

describe('another SECRET', () => {
  it('fails no request while all keys are wrapped again, and what was signed before stays good', async () => {
    const agency = await agencyIn(cell)
    const second = (await page(cell, agency.key, (await page(cell, agency.key)).next)).names
    const before = { cursor: (await page(cell, agency.key)).next, link: linkOf(cell, agency) }
    const both = await Promise.all(
      [1, 2].map(async () =>
        startCell({ connection: cell.connection, keys: await openKeys(cell.connection, NEW, FORMER), deps }),
      ),
    )
    const [one, two] = both as [TestCell, TestCell]

    let rotated = false
    const made: Agency[] = []
    const load = async () => {
      for (let done = 0; !rotated || done < 3; done++) {
        const own = await agencyIn(one)
        made.push(own)
        const first = await page(one, own.key)
        const second = await page(two, own.key, first.next)
        expect([first.status, second.status, second.names?.length]).toEqual([200, 200, 2])
        expect(second.names).not.toEqual(first.names)
        expect((await page(two, agency.key, before.cursor)).status).toBe(200)
        await setImmediate()
      }
    }
    const running = Promise.all([load(), load()])
    await Promise.race([running, setImmediate()])
    const { wrapped } = await rotateCellSecret(two.deps.db, two.deps.keyWraps)
    expect(wrapped).toBeGreaterThanOrEqual(3)
    rotated = true
    await running
    expect(await rotateCellSecret(two.deps.db, two.deps.keyWraps)).toEqual({ wrapped: 0 })

    const after = await startCell({ connection: cell.connection, keys: await openKeys(cell.connection, NEW), deps })
    expect((await page(after, agency.key, before.cursor)).names).toEqual(second)
    expect(await reads(after, before.link)).toEqual({ account: agency.number, customer: 'x' })
    for (const own of made) expect((await page(after, own.key)).status).toBe(200)
    const queue = auditChainQueue(after.deps)
    for (let job = await queue.claim(); job; job = await queue.claim()) await job(GO_ON)
    expect(await verifyChain(after.deps.db.reader(agency.number), after.deps.accountSecrets)).toMatchObject({
      problem: null,
    })
    cell = after
  })
  it('is refused if it never was one of the cell', async () => {
    await expect(openKeys(cell.connection, 'a stranger')).rejects.toMatchObject({ code: 'wrong_secret' })
    await expect(openKeys(cell.connection, FORMER)).rejects.toMatchObject({ code: 'wrong_secret' })
    expect(await openKeys(cell.connection, 'the next one', NEW)).toMatchObject({ key: FORMER })
  })
  it('does not reveal a key: they are random, and stored wrapped', async () => {
    const keys = await ask<{ wrapped: Buffer }>(cell, 'select wrapped from account_keys')
    const clear = keys.map(({ wrapped }) => cell.deps.keyWraps.openBytes(wrapped).toString('hex'))
    expect(new Set(clear).size).toBe(keys.length)
    expect(keys.filter(({ wrapped }, nth) => wrapped.toString('hex').includes(clear[nth] ?? ''))).toEqual([])
  })
  it('that others may know is of no use once the signing keys are replaced, except to unsubscribe', async () => {
    const agency = await agencyIn(cell)
    const first = accountSecretsOf(cell.keys.key) // of a version without random keys
    const former = (await page(cell, agency.key)).next
    const unsubscribing = signedTextWith(first, 'unsubscribing')
    const old =
      unsubscribeUrl({ ...cell.deps, unsubscribing }, agency.number, 'x')
        .split('/')
        .at(-1) ?? ''
    const link = linkOf(cell, agency)
    const { deps: here } = cell
    for (let times = 1; times <= 2; times++)
      expect((await replaceSigningKeys(here.db, here.keyWraps, here.accountSecrets)).replaced).toBeGreaterThan(0)
    const after = await startCell({ connection: cell.connection, keys: await openKeys(cell.connection, NEW), deps })
    expect((await page(after, agency.key, former)).status).toBe(400)
    const fresh = await page(after, agency.key)
    expect((await page(after, agency.key, fresh.next)).status).toBe(200)
    for (const text of [link, old, linkOf(after, agency)])
      expect(await reads(after, text)).toEqual({ account: agency.number, customer: 'x' })
    const survey = signedTextWith(first, 'surveys').write(agency.number, 'survey', [String(agency.number), 'x'])
    expect(await readSurveyToken(cell.deps.surveying, survey, formerSecretsIn(cell.deps.db))).not.toBeNull()
    expect(await readSurveyToken(after.deps.surveying, survey, formerSecretsIn(after.deps.db))).toBeNull()
    expect(await verifyChain(after.deps.db.reader(agency.number), after.deps.accountSecrets)).toMatchObject({
      problem: null,
    })
    cell = after
  })
})
