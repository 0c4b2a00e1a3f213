import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { openLog } from './open-log.ts'

/** The output of one call, on a terminal or elsewhere. */
function written(isTerminal: boolean, fields: object, message: string): string {
  const lines: string[] = []
  openLog('info', { write: (line: string) => void lines.push(line) }, isTerminal).warn(fields, message)
  return stripVTControlCharacters(lines.join('')) // colors
}

describe('the log', () => {
  it('is JSON, one line each, where no terminal reads it', () => {
    expect(JSON.parse(written(false, { port: 3000 }, 'ready'))).toMatchObject({ level: 40, msg: 'ready', port: 3000 })
  })
  it('is a line for people on a terminal: time, level, message, fields', () => {
    expect(written(true, { port: 3000, route: '/api/v1/me' }, 'ready')).toMatch(
      /^\d\d:\d\d:\d\dZ {2}warn {3}ready {2}port=3000 {2}route=\/api\/v1\/me\n$/,
    )
  })
  it('has an error, its cause and their frames below the line', () => {
    const text = written(true, { err: new Error('outer', { cause: new TypeError('inner') }) }, 'failed')
    expect(text).toMatch(/failed\n {4}Error: outer\n {8}at [\s\S]*\n {4}TypeError: inner\n {8}at /)
  })
  it('shows no secret and no control character that a client sent', () => {
    const text = written(true, { name: 'a\u001b[2Jb\nc' }, 'key sek_abcdef of \u009b31m me@example.com')
    expect(text).toMatch(/key sek_… of \?31m …@….*name=a\?\[2Jb\?c\n$/)
  })
})
