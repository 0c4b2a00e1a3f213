import { execFileSync } from 'node:child_process'
import { chmodSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openFolders, PORT } from '#embedded-postgres/folders.ts'
import { withClient } from '../../../src/platform/db/client.ts'
import { atEnd } from '../../harness/at-end.ts'
import { checkHistory } from '../../harness/check-history.ts'
import { startClients } from '../../harness/history.ts'
import { type OwnServer, startOwnServer } from '../../harness/own-server.ts'
import { end, serve, temporaryFolder } from '../../harness/process.ts'
import { mayMount, mountSmallDisk } from '../../harness/small-disk.ts'
import { prepareStorm, seededChance, startProcess, statusOf, timeUntil } from '../../harness/storm.ts'
import { multipart } from '../../harness/upload.ts'

const AGENCIES = 2
const DISK_MB = 250
const FULL_MS = 6_000
const RECOVERS_MS = 5_000
/** A server that could not start is tried again every five seconds. */
const RESTARTS_MS = 15_000
const MEGABYTE = 1024 * 1024
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0])

/** The write-ahead log is on another disk: only the disk of the tables is full. */
async function moveLogAway(server: OwnServer): Promise<void> {
  const elsewhere = temporaryFolder()
  chmodSync(elsewhere, 0o711)
  const [from, to] = [join(server.folders.cluster, 'pg_wal'), join(elsewhere, 'pg_wal')]
  await server.stop()
  execFileSync('mv', [from, to])
  symlinkSync(to, from)
  await server.start()
}

// It takes root to mount a disk; where that may not be done, these are skipped.
describe.skipIf(!mayMount())('a disk that is full', () => {
  it('has imports answered 503, whole or not at all, while reads go on, until there is room again', async () => {
    const disk = mountSmallDisk(DISK_MB)
    const server = await startOwnServer(join(disk.folder, 'data'))
    await moveLogAway(server)
    const { cell, agencies } = await prepareStorm(AGENCIES, server.connection)
    const process = await startProcess(cell)
    const clients = startClients(() => process.url, agencies, seededChance(), 20)
    const answered = (wanted: number) =>
      clients.history.flatMap(({ answers }) => answers).filter(({ status }) => status === wanted)
    const customers = () => statusOf(`${process.url}/api/v1/imports/hotel_stays/records?limit=5`, agencies[0]?.key)
    await timeUntil(async () => answered(200).length > 5)

    disk.fill()
    await timeUntil(async () => answered(503).length > 5)
    const begun = performance.now()
    const read = new Set<number>()
    while (performance.now() - begun < FULL_MS) {
      read.add(await customers()).add(await statusOf(`${process.url}/api/v1/health`))
      await sleep(50)
    }
    expect([...read]).toEqual([200])
    expect(answered(503).some(({ text }) => text.includes('out of disk space'))).toBe(true)

    const before = answered(200).length
    disk.empty()
    const took = await timeUntil(async () => answered(200).length > before)
    console.log(`recovered in ${Math.round(took)} ms`)
    expect(took).toBeLessThan(RECOVERS_MS)
    await clients.stop()
    console.log(await checkHistory(cell, agencies, clients.history))
  })

  it('has uploads answered 503, and the embedded server come back by itself where its own log found no room', async () => {
    const disk = mountSmallDisk(2 * DISK_MB)
    const served = await serve(disk.folder, { SHED_AFTER_MS: '0', LOG_LEVEL: 'silent' })
    atEnd(async () => void (await end(served.child, 'SIGTERM')))
    const key = served.demo?.keys.full ?? ''
    const upload = async () => {
      const { raw, headers } = multipart([
        { name: 'file', filename: 'a.jpg', bytes: Buffer.concat([JPEG, Buffer.alloc(3 * MEGABYTE)]) },
      ])
      const answer = await fetch(`${served.url}/api/v1/uploads`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${key}` },
        body: raw,
      })
      return [answer.status, ((await answer.json()) as { code?: string }).code]
    }
    const customers = () => statusOf(`${served.url}/api/v1/customers?limit=5`, key)
    expect([await customers(), await upload()]).toEqual([200, [201, undefined]])
    disk.fill(MEGABYTE)
    expect([await customers(), await upload()]).toEqual([200, [503, 'unavailable']])

    disk.fill()
    await exhaustLog(disk.folder)
    const seen = new Set<number>()
    for (const begun = performance.now(); performance.now() - begun < FULL_MS; await sleep(50)) {
      seen.add(await customers())
      expect(await statusOf(`${served.url}/api/v1/health`)).toBe(200)
    }
    console.log('meanwhile:', [...seen])
    expect([[...seen].filter((status) => status !== 200 && status !== 503), served.child.exitCode]).toEqual([[], null])
    disk.empty()
    const took = await timeUntil(async () => (await customers()) === 200)
    console.log(`recovered in ${Math.round(took)} ms`)
    expect(took).toBeLessThan(RESTARTS_MS)
    expect(await upload()).toEqual([201, undefined])
  })
})

/** Fills the disk with log segments until the next does not fit, which PostgreSQL may not survive. */
async function exhaustLog(dataDir: string): Promise<void> {
  const { socket: host } = openFolders(dataDir)
  const taken = withClient({ host, port: PORT, user: 'postgres', database: 'postgres' }, async (client) => {
    for (;;) await client.query('select pg_switch_wal(), pg_current_xact_id()')
  })
  await expect(taken).rejects.toThrow()
}
