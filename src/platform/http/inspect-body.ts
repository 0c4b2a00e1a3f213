import { ApiError } from './errors.ts'

const MAXIMUM_DEPTH = 32
const holds = (text: string) => text.isWellFormed() && !text.includes('\u0000')

/** Refuses NUL and malformed Unicode in the strings of a path or query. */
export function inspectStrings(values: unknown): void {
  for (const value of Object.values((values ?? {}) as Record<string, unknown>)) {
    for (const text of Array.isArray(value) ? value : [value]) {
      if (typeof text === 'string' && !holds(text)) throw malformed()
    }
  }
}

/**
 * Refuses what PostgreSQL cannot store: NUL and malformed Unicode, and nesting that is too deep. Below the keys of
 * `rows`, the rows' own validation reports the invalid row.
 */
export function inspectBody(body: Record<string, unknown>, rows: readonly string[]): void {
  for (const key in body) {
    if (!holds(key)) throw malformed()
    if (!rows.includes(key)) inspect(body[key])
  }
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Whether a JSON text is nested too deeply: parsing a million brackets would block the process for half a second. */
export function nestsTooDeep(json: Buffer): boolean {
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === QUOTE) at = endOfString(json, at)
    else if (byte === LIST || byte === OBJECT) depth++
    else if (byte === LIST_END || byte === OBJECT_END) depth--
    if (depth > MAXIMUM_DEPTH) return true
  }
  return false
}

function endOfString(json: Buffer, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    if (json[at] === BACKSLASH) at++
    else if (json[at] === QUOTE) return at
  }
  return json.length
}

function inspect(value: unknown): void {
  if (typeof value === 'string') {
    if (!holds(value)) throw malformed()
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const item of value) inspect(item)
    return
  }
  for (const key in value) {
    if (!holds(key)) throw malformed()
    inspect((value as Record<string, unknown>)[key])
  }
}

export const tooDeep = () =>
  new ApiError('bad_request', `The request body is nested too deeply. Send at most ${MAXIMUM_DEPTH} levels.`)
const malformed = () =>
  new ApiError(
    'bad_request',
    'The text is not well-formed Unicode, or contains a NUL character. Correct it and try again.',
  )
