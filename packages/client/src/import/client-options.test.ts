import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keepAddress } from '../cell-address.ts'
import { addressOf } from './client-options.ts'

let DATA_DIR: string
beforeEach(() => {
  DATA_DIR = mkdtempSync(join(tmpdir(), 'backdesk-address-'))
})
afterEach(() => rmSync(DATA_DIR, { recursive: true, force: true }))

describe('the address of the cell', () => {
  it('is that of --url, BACKDESK_URL, PORT, the cell that serves DATA_DIR, or the default, in this order', () => {
    keepAddress(DATA_DIR, 'http://localhost:4711')
    const given = { url: 'https://option.example/' }
    const environment = { BACKDESK_URL: 'https://variable.example', PORT: '3381', DATA_DIR }
    const { BACKDESK_URL, ...withPort } = environment
    const urls = [
      addressOf(given, environment),
      ...[environment, withPort, { DATA_DIR }].map((env) => addressOf({}, env)),
    ]
    expect(urls.map(({ url }) => url)).toEqual([
      'https://option.example',
      'https://variable.example',
      'http://localhost:3381',
      'http://localhost:4711',
    ])
    expect(addressOf({}, { DATA_DIR: join(DATA_DIR, 'none') })).toEqual({
      url: 'http://localhost:3000',
      from: 'the default',
    })
  })
  it('is not that of a cell that has stopped, or was killed and left its file', () => {
    const forget = keepAddress(DATA_DIR, 'http://localhost:4711')
    forget()
    expect(addressOf({}, { DATA_DIR }).from).toBe('the default')
    const noProcess = 2 ** 31 - 1
    writeFileSync(join(DATA_DIR, 'address.json'), JSON.stringify({ url: 'http://localhost:4711', pid: noProcess }))
    expect(addressOf({}, { DATA_DIR }).from).toBe('the default')
    writeFileSync(join(DATA_DIR, 'address.json'), '{"url": "http://loc')
    expect(addressOf({}, { DATA_DIR }).from).toBe('the default')
  })
  it('is refused by the name of the setting where it is not a web address', () => {
    expect(() => addressOf({ url: 'localhost:3000' }, {})).toThrow(/^--url takes an address such as https:/)
    expect(() => addressOf({}, { BACKDESK_URL: 'cell' })).toThrow(/^BACKDESK_URL takes/)
    expect(() => addressOf({}, { PORT: 'web' })).toThrow(/^PORT takes/)
  })
})
