import Type, { type TSchema } from 'typebox'
import { type Kind, Refusal, refuse } from '../../catalogue/kind.ts'
import { localTime, string } from '../../catalogue/kinds.ts'
import { textSet } from '../../catalogue/lists.ts'
import { isTimeZone } from '../../platform/time.ts'
import { isPictureUrl } from './reads/picture-url.ts'

const URL_MAXIMUM = 2000
const text = string(URL_MAXIMUM)
/** The URL of an image, which is loaded by visitors of a page. */
export const imageUrl: Kind<string> = {
  ...text,
  read(cell, context) {
    const read = text.read(cell, context)
    if (read instanceof Refusal) return read
    return isPictureUrl(read)
      ? read
      : refuse('invalid_url', 'Send an address that begins with https://, or a small picture as data:image/….')
  },
  example: 'https://images.example/rome.jpg',
  bad: [...text.bad, 'rome.jpg', 'http://images.example/rome.jpg', 'javascript:alert(1)', 'data:text/html,x'],
}

/** Local time, in a column with its own type. */
export const wallClock: Kind<string> = {
  ...localTime,
  pg: 'timestamp',
  print: (column) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI')`,
}

/** Several short texts, as a list or in one text with commas. */
export function texts(maximumItems: number, maximumLength: number): Kind<string[]> {
  const set = textSet(maximumItems, maximumLength)
  return {
    ...set,
    read: (cell, context) =>
      set.read(typeof cell === 'string' ? cell.split(',').map((part) => part.trim()) : cell, context),
    bad: [7, [7], [''], 'x'.repeat(maximumLength + 1)],
  }
}

const zone = string(60)
export const timeZone: Kind<string> = {
  ...zone,
  read(cell, context) {
    const read = zone.read(cell, context)
    if (read instanceof Refusal || isTimeZone(read)) return read
    return refuse('invalid_time_zone', 'Send an IANA zone such as Europe/Istanbul.')
  },
  example: 'Europe/Istanbul',
  bad: [...zone.bad, 'Istanbul', '+03:00'],
}

const DEGREES = /^-?\d{1,3}(\.\d{1,6})?$/
/** Degrees from north or east, up to six decimals. */
export const degrees = (most: number): Kind<string> => ({
  type: 'decimal',
  schema: Type.String({ pattern: DEGREES.source, maxLength: 11 }),
  pg: 'numeric',
  read(cell) {
    const given = String(typeof cell === 'number' ? cell : typeof cell === 'string' ? cell.trim() : '')
    if (!DEGREES.test(given)) return refuse('invalid_decimal', 'Send degrees with up to six decimals, as 41.008240.')
    return Math.abs(Number(given)) <= most
      ? String(Number(given))
      : refuse('out_of_range', `Send degrees from -${most} to ${most}.`)
  },
  print: (column) => `trim_scale(${column})::text`,
  example: '28.97836',
  bad: ['north', '1e1', '41,5', `${most + 1}`, true, {}],
})

/** `values` names the values that it takes. */
type Setting = { readonly schema: TSchema; readonly values: string; holds(value: unknown): boolean }
/** An object of named values, as JSON or as its text; those that it does not have stay as they are. */
export const settings = (known: Readonly<Record<string, Setting>>): Kind<Record<string, unknown>> => ({
  type: 'object',
  schema: Type.Object(
    Object.fromEntries(Object.entries(known).map(([name, { schema }]) => [name, Type.Optional(schema)])),
  ),
  pg: 'jsonb',
  read(cell) {
    const given: unknown = typeof cell === 'string' ? parse(cell) : cell
    if (typeof given !== 'object' || given === null || Array.isArray(given))
      return refuse('invalid_type', 'Send an object.')
    const wrong = Object.entries(given).find(
      ([name, value]) => !(Object.hasOwn(known, name) && known[name]?.holds(value)),
    )
    if (!wrong) return given as Record<string, unknown>
    const [name] = wrong
    const setting = Object.hasOwn(known, name) ? known[name] : undefined
    return refuse(
      'not_allowed',
      setting
        ? `The value of ${name} is invalid. Send ${setting.values}.`
        : `Unknown setting ${name}. Known: ${Object.keys(known).join(', ')}.`,
    )
  },
  print: (column) => column,
  example: {},
  bad: [7, 'x', [], { nonesuch: true }],
})

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
