import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { accountSecretsOf } from '../account-secrets.ts'
import { contentOf, placeOf } from './file-store.ts'
import { openFiles, openStore } from './files.ts'

const FILE = { account: 20_000_001, id: '0197a3f0-0000-7000-8000-000000000001' }
const HOUR_MS = 3_600_000
const nobody = async () => []

/** Files of a cell on a clock that the test sets. */
function cell(secret = 'a secret') {
  const clock = { now: 1_700_000_000_000 }
  const place = { dataDir: '/nowhere', bucket: null, publicUrl: 'https://desk.example' }
  return { clock, ...openFiles(place, accountSecretsOf(secret), () => clock.now) }
}
const tokenOf = (address: string) => address.slice('https://desk.example/files/'.length)

describe('the signed id of an upload', () => {
  it('names it for its own account in the cell that signed it, and is not the address of a file', async () => {
    const { signId, readId, readAddress } = cell()
    const id = signId(FILE)
    expect(readId(FILE.account, id)).toBe(FILE.id)
    // Those that an earlier version wrote are good still.
    expect(id).toBe('8h3wBpfkM_g86GyrhO3a_lsiMDE5N2EzZjAtMDAwMC03MDAwLTgwMDAtMDAwMDAwMDAwMDAxIl0')
    expect([readId(FILE.account + 1, id), cell('another').readId(FILE.account, id)]).toEqual([null, null])
    expect(await readAddress(id, nobody)).toBeNull()
  })
  it('is read in the cell that the account went to', () => {
    const there = accountSecretsOf('another')
    const former = [there.seal(accountSecretsOf('a secret').of(FILE.account))]
    expect(cell('another').readId(FILE.account, cell().signId(FILE), former)).toBe(FILE.id)
  })
})

describe('the storage', () => {
  it('is a folder of the data directory without a bucket', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'backdesk-files-'))
    const store = openStore({ dataDir, bucket: null })
    await store.put(FILE, contentOf(Buffer.from('bytes')))
    expect(readFileSync(join(dataDir, 'files', placeOf(FILE)), 'utf8')).toBe('bytes')
    rmSync(dataDir, { recursive: true })
  })
})

describe('the address of a file', () => {
  it('is under the cell’s own, and names the file for an hour', async () => {
    const { clock, addressOf, readAddress } = cell()
    const address = addressOf(FILE)
    expect(address).toMatch(/^https:\/\/desk\.example\/files\/[\w-]+$/)
    clock.now += HOUR_MS - 1
    expect(await readAddress(tokenOf(address), nobody)).toEqual(FILE)
    clock.now += 1
    expect(await readAddress(tokenOf(address), nobody)).toBeNull()
  })
  it('is neither an id of an upload nor written by another cell', async () => {
    const { addressOf, readId } = cell()
    expect(readId(FILE.account, tokenOf(addressOf(FILE)))).toBeNull()
    expect(await cell('another').readAddress(tokenOf(addressOf(FILE)), nobody)).toBeNull()
    expect(await cell().readAddress('nonsense', nobody)).toBeNull()
  })
  it('is read in the cell that the account went to', async () => {
    const there = accountSecretsOf('another')
    const formerOf = async (account: number) => [there.seal(accountSecretsOf('a secret').of(account))]
    expect(await cell('another').readAddress(tokenOf(cell().addressOf(FILE)), formerOf)).toEqual(FILE)
  })
})
