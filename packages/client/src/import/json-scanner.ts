import { ImportError } from './import-error.ts'

/** The JSON text of a row, and the line that it starts on. */
export type RowText = { readonly line: number; readonly text: string }
export type JsonScanner = {
  /** Takes the next chunk of the document, and returns the rows that it completes. */
  push(chunk: string): RowText[]
  /** Throws where the document is not at its end. */
  end(): void
}

type Expected =
  | 'document'
  | 'row or end'
  | 'row'
  | 'comma or end of rows'
  | 'key or end'
  | 'key'
  | 'colon'
  | 'value'
  | 'comma or end'
  | 'nothing'
/** The value that is being captured across chunks. */
type Capture = {
  readonly kind: 'row' | 'key' | 'skipped'
  readonly line: number
  text: string
  depth: number
  inString: boolean
  escaped: boolean
}

const SPACE = /\s/
const OPENING = '{['
const CLOSING = '}]'

/**
 * Finds the rows of a JSON document that may be larger than memory: the elements of an array, or of `rows` of an
 * object. It checks only brackets and strings; parsing a row finds the remaining errors.
 */
export function makeJsonScanner(maxRowChars: number): JsonScanner {
  let expected: Expected = 'document'
  let capture: Capture | null = null
  let inObject = false
  let sawRows = false
  let key = ''
  let line = 1
  let found: RowText[] = []

  const fail = (what: string) => new ImportError('invalid_json', `Line ${line}: ${what}.`)
  const start = (kind: Capture['kind'], character: string) => {
    const depth = OPENING.includes(character) ? 1 : 0
    capture = { kind, line, text: '', depth, inString: character === '"', escaped: false }
  }

  function finish({ kind, text, line: from }: Capture): void {
    capture = null
    if (kind === 'row') {
      found.push({ line: from, text })
      expected = 'comma or end of rows'
    } else if (kind === 'key') {
      key = text
      expected = 'colon'
    } else expected = 'comma or end'
  }

  function structure(character: string): void {
    if (SPACE.test(character)) return
    const is = (wanted: string) => character === wanted
    if (expected === 'document' && is('[')) expected = 'row or end'
    else if (expected === 'document' && is('{')) {
      inObject = true
      expected = 'key or end'
    } else if ((expected === 'row or end' || expected === 'comma or end of rows') && is(']')) {
      sawRows = true
      expected = inObject ? 'comma or end' : 'nothing'
    } else if ((expected === 'row or end' || expected === 'row') && !',]}:'.includes(character)) start('row', character)
    else if (expected === 'comma or end of rows' && is(',')) expected = 'row'
    else if ((expected === 'key or end' || expected === 'key') && is('"')) start('key', character)
    else if ((expected === 'key or end' || expected === 'comma or end') && is('}')) expected = 'nothing'
    else if (expected === 'colon' && is(':')) expected = 'value'
    else if (expected === 'value' && key === '"rows"') {
      if (!is('[')) throw fail('"rows" is not an array')
      expected = 'row or end'
    } else if (expected === 'value' && !',]}:'.includes(character)) start('skipped', character)
    else if (expected === 'comma or end' && is(',')) expected = 'key'
    else throw fail(`${expected} expected, found ${JSON.stringify(character)}`)
  }

  return {
    push(chunk) {
      found = []
      let from = 0
      for (let at = 0; at < chunk.length; at++) {
        const character = chunk[at] as string
        if (character === '\n') line += 1
        const value = capture as Capture | null
        const ends = value ? goOn(value, character) : 'none'
        if (ends === 'on') continue
        if (value) {
          if (value.kind !== 'skipped') value.text += chunk.slice(from, ends === 'after' ? at + 1 : at)
          finish(value)
          if (ends === 'after') continue
        }
        structure(character)
        from = at
      }
      const open = capture as Capture | null
      if (open && open.kind !== 'skipped') open.text += chunk.slice(from)
      if (open && open.text.length > maxRowChars) throw fail('the row is larger than the request limit')
      return found
    },
    end() {
      if (expected !== 'nothing')
        throw fail(`unexpected end of file: ${capture ? 'end of a value' : expected} expected`)
      if (!sawRows) throw fail('neither an array of rows nor an object with "rows"')
    },
  }
}

/** Whether the captured value ends with this character, before it, or continues. */
function goOn(value: Capture, character: string): 'on' | 'after' | 'before' {
  if (value.inString) {
    if (value.escaped) value.escaped = false
    else if (character === '\\') value.escaped = true
    else if (character === '"') {
      value.inString = false
      if (value.depth === 0) return 'after'
    }
    return 'on'
  }
  if (character === '"') value.inString = true
  else if (OPENING.includes(character)) value.depth += 1
  else if (CLOSING.includes(character)) {
    if (value.depth === 0) return 'before'
    value.depth -= 1
    if (value.depth === 0) return 'after'
  } else if (value.depth === 0 && (character === ',' || SPACE.test(character))) return 'before'
  return 'on'
}
