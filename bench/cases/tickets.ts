import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { detect } from '../../src/features/ticket-printer/formats/detect.ts'
import { Unreadable } from '../../src/features/ticket-printer/ticket-file.ts'
import type { Agencies } from '../agencies.ts'
import { bearer } from '../http.ts'
import { figureOf, milliseconds } from '../measure.ts'
import type { Case } from './case.ts'

const FILE = readFileSync(join(import.meta.dirname, '../../samples/ticket_files/1-issue.air'), 'latin1')
const PARSED = 5_000
const CAPTURED = 240
/** Files of one account that follow each other; the accounts take turns. */
const AT_ONCE = 8
const SECOND_MS = 1000
const TODAY = '2026-03-02'

let serial = 2_500_000_000
/** A ticket file with numbers that no other file has. */
const another = (): Buffer => {
  serial += 2
  return Buffer.from(FILE.replace('2400000001', String(serial)).replace('2400000002', String(serial + 1)), 'latin1')
}

async function parse(): Promise<number> {
  const files = Array.from({ length: PARSED }, () => another().toString('latin1'))
  const ms = await milliseconds(async () => {
    for (const file of files) {
      const found = detect(file)
      if (found instanceof Unreadable || found.read(TODAY) instanceof Unreadable) throw new Error('A file was not read')
    }
  })
  return (PARSED * SECOND_MS) / ms
}

async function capture({ cell, ingest }: Agencies): Promise<number> {
  const send = async (): Promise<void> => {
    for (let n = 0; n < CAPTURED / AT_ONCE; n++) {
      const { key } = await ingest.take(1)
      const body = JSON.stringify({ filename: '1-issue.air', content: another().toString('base64') })
      const headers = { ...bearer(key), 'content-type': 'application/json' }
      const answer = await fetch(`${cell.url}/api/v1/ticket_imports`, { method: 'POST', headers, body })
      const text = await answer.text()
      if (answer.status !== 201) throw new Error(`A capture answered ${answer.status} ${text.slice(0, 500)}`)
    }
  }
  const ms = await milliseconds(() => Promise.all(Array.from({ length: AT_ONCE }, send)))
  return (CAPTURED * SECOND_MS) / ms
}

/** Files of the ticket printer: detection and parsing alone, in this process; and captures through the API. */
export const tickets: Case = {
  name: 'tickets',
  async run({ empty, rounds }) {
    const agencies = await empty()
    await parse()
    await capture(agencies)
    const parsed: number[] = []
    const captured: number[] = []
    for (let n = 0; n < rounds; n++) {
      parsed.push(await parse())
      captured.push(await capture(agencies))
    }
    return [
      figureOf({ name: 'an AIR of two tickets, parsed', unit: 'files/s', target: { atLeast: 5_000 } }, parsed),
      figureOf({ name: 'the same, captured through the API', unit: 'files/s', target: null }, captured),
    ]
  },
}
