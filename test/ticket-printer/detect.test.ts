import { describe, expect, it } from 'vitest'
import { isComplete } from '#client/ticket-file/complete.ts'
import { detect } from '../../src/features/ticket-printer/formats/detect.ts'
import { type TicketFile, Unreadable } from '../../src/features/ticket-printer/ticket-file.ts'
import { everyFixture, type Fixture, fixtureFolders, fixturesIn, readText } from './every-fixture.ts'

/** The format detected for every fixture of a folder; a MIR can be of either system. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  air: ['amadeus air'],
  iur: ['sabre iur'],
  mir: ['galileo mir', 'apollo mir'],
  ndc17: ['ndc ndc_orderview'],
  ndc18: ['ndc ndc_orderview'],
  ndc19: ['ndc ndc_orderview'],
  ndc21: ['ndc ndc_orderview'],
  pegasus: ['pegasus xml'],
  sirena: ['sirena xml'],
  tkt: ['unknown tkt'],
  tair: ['worldspan tair'],
  'universal-record': ['galileo xml', 'apollo xml', 'worldspan xml', 'unknown xml'],
}
/** Files without an end mark, because a MIR that lost its trailing blanks has fewer characters than it counts. */
const SHORTENED = ['mir issue-blanks-at-line-ends-lost']
const UNREADABLE = 'unreadable'
const LINE_ENDS: Readonly<Record<string, string>> = { CR: '\r', LF: '\n', CRLF: '\r\n', CRCRLF: '\r\r\n' }
const FRAMES: readonly (readonly [before: string, after: string])[] = [
  ['\x01\x02', '\x03'],
  ['\0\0\0', '\0'],
  ['\uFEFF', ''],
  [' \t\r\n', ' \r\n'],
  ['\f', '\r\f'],
]

function detectedAs(text: string): string {
  const found = detect(text)
  return found instanceof Unreadable ? found.reason : `${found.provider} ${found.format}`
}

it('every folder of fixtures has its format', () => {
  expect(fixtureFolders().filter((folder) => folder !== UNREADABLE && !FOLDERS[folder])).toEqual([])
})

describe.each(Object.keys(FOLDERS).filter((folder) => fixtureFolders().includes(folder)))('%s', (folder) => {
  const formats = FOLDERS[folder] ?? []
  const fixtures = fixturesIn(folder)

  it('is detected by its content', () => {
    for (const { name, text } of fixtures) expect(formats, name).toContain(detectedAs(text))
  })

  it('is detected within the framing of a transport', () => {
    for (const [before, after] of FRAMES) {
      for (const { name, text } of fixtures) expect(formats, name).toContain(detectedAs(before + text + after))
    }
  })

  it.each(Object.entries(LINE_ENDS))('is read the same with lines that end with %s', (_, end) => {
    for (const { name, text, today } of fixtures) {
      const changed = text.replace(/\r\n|\r|\n/g, end)
      expect(formats, name).toContain(detectedAs(changed))
      expect(readText(changed, today), name).toEqual(readText(text, today))
    }
  })
})

it('a document repeated in a file is one document', () => {
  const { text = '', today = '', expected } = fixturesIn('mir').find(({ name }) => name === 'void') ?? {}
  const result = readText(text.replace(/(A02[^\r\n]*)/, '$1\r$1'), today)
  expect(result).toMatchObject({
    documents: (expected as TicketFile).documents,
    warnings: [{ code: 'repeated_document' }],
  })
})

describe('text before an AIR', () => {
  const air = 'AIR-BLK207;7A;;247;0000000001;1A0000001;001001\rAMD 0500000001;1/1;\rENDX\r'

  it('can be a few lines of mail', () => {
    expect(detectedAs(`Subject: print\r\n\r\n${air}`)).toBe('amadeus air')
    expect(detectedAs(air.replace('AIR-', ''))).toBe('amadeus air')
  })

  it('makes the file unknown if it is long', () => {
    expect(detectedAs(`${'PAGE\r\n'.repeat(100)}${air}`)).not.toBe('amadeus air')
    expect(detectedAs('NOT AN XAIR-BLK207;')).not.toBe('amadeus air')
  })
})

describe('truncated XML', () => {
  const DAMAGED = 'The XML is damaged or incomplete. Send the whole file again.'
  const result = (text: string) => readText(text, '2026-03-05')

  it('is reported as truncated wherever it is cut', () => {
    const folders = ['ndc17', 'ndc21', 'pegasus', 'sirena']
    for (const { name, text } of folders.flatMap((folder) => fixturesIn(folder).slice(0, 2))) {
      const last = text.trimEnd().length - 1
      const cuts = Array.from({ length: 600 }, (_, at) => at + 1).filter((cut) => cut < last)
      for (const cut of cuts) expect(result(text.slice(0, cut)), `${name} to ${cut}`).toEqual({ unreadable: DAMAGED })
    }
  })

  it.each(['<OrderViewRS', '<OrderViewRS xmlns="http://www.iata.org/IATA/EDIST/2017.2">', '<ns2:IATA_OrderViewRS'])(
    'is NDC as soon as %s is there',
    (text) => {
      expect(detectedAs(text)).toBe('ndc ndc_orderview')
      expect(result(text)).toEqual({ unreadable: DAMAGED })
    },
  )

  it('is reported as unknown if it is complete', () => {
    for (const text of ['<rates/>', '<rates><rate/></rates>']) {
      expect(result(text)).toEqual({ unreadable: expect.stringMatching(/^The XML of <rates> is not in a format/) })
    }
  })
})

describe('the end mark', () => {
  const whole = ({ expected }: Fixture) => !('unreadable' in expected)

  it('is present in a readable file', () => {
    const files = everyFixture().filter(whole)
    const waiting = files.filter(({ text }) => !isComplete(text)).map(({ folder, name }) => `${folder} ${name}`)
    expect(waiting).toEqual(SHORTENED)
  })

  it('is missing wherever an AIR or an XML is cut', () => {
    for (const { text } of [...fixturesIn('air').slice(0, 5), ...fixturesIn('ndc17').filter(whole).slice(0, 2)]) {
      const last = text.trimEnd().length
      for (let cut = 0; cut < last - 1; cut += 97) expect(isComplete(text.slice(0, cut))).toBe(false)
    }
  })

  it.each([
    ['', false],
    ['\0\r\n \f', false],
    ['AIR-BLK207;7A;\r\nAMD 05\r\nRM*THE END', false],
    ['AIR-BLK207;7A;\r\nAMD 05\r\nEND', true],
    ['AIR-BLK207;7A;mAMD 05;mENDX', true],
    ['\x02AIR-BLK207;7A;\r\nENDX\r\n\x03', true],
    ['T51G773392000400001', false],
    ['T51G773392000200001\r\n', true],
    ['<?xml version="1.0"?><a><b/></a><!-- </c> -->\n', true],
    ['<a><b></a', false],
    ['<a></ab>', false],
    ['<!-- <a> -->', false],
    ['<?xml version="1.0"?>\n<a b="1"/>\n', true],
    ['<a><b/>', false],
    ['<?xml version="1.0"?>', false],
    ['"TYPE","OPTYPE"', true],
  ])('of %j', (text, complete) => {
    expect(isComplete(text)).toBe(complete)
  })
})

describe('a file that is followed by a file of another system', () => {
  const systems = ['air', 'mir', 'iur', 'ndc17', 'sirena'] as const
  const read = (folder: string) =>
    fixturesIn(folder).filter(({ text, today }) => !('unreadable' in readText(text, today)) && !text.includes('mAMD'))
  const pairs = systems.flatMap((first) =>
    systems.filter((second) => second !== first).map((second) => [first, second]),
  )
  const areXml = (folders: readonly (string | undefined)[]) =>
    folders.every((folder) => folder === 'ndc17' || folder === 'sirena')

  it.each(pairs.filter((pair) => !areXml(pair)))('%s and %s is refused', (first = '', second = '') => {
    for (const { name, text, today } of read(first))
      for (const separator of ['\r', '\n', '\r\n\f'])
        for (const other of read(second).slice(0, 3)) {
          const found = detect(text + separator + other.text)
          const result = found instanceof Unreadable ? found : found.read(today)
          expect(result instanceof Unreadable && result.cause, `${name}, ${other.name}`).toBe('several_files')
        }
  })
})
