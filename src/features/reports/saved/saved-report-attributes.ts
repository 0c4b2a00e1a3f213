import Type from 'typebox'
import { pii } from '../../../catalogue/entity.ts'
import type { Field, Kind } from '../../../catalogue/kind.ts'
import { refuse } from '../../../catalogue/kind.ts'
import { boolean, email, integer, oneOf, string } from '../../../catalogue/kinds.ts'
import { FILE_FORMATS } from '../files/file-formats.ts'
import { FREQUENCIES, MONTH_DAYS, WEEKDAYS } from './schedule-kinds.ts'

/** What notifications call it. */
export const SAVED_REPORT = 'SavedReport'
const NAME_MAXIMUM = 200
const RECIPIENTS = 20

/** An object as sent. The command validates its content, because it needs presets and entities. */
const object = (description: string): Kind<object> => ({
  type: 'object',
  schema: Type.Unsafe<object>({ type: 'object', description }),
  pg: 'jsonb',
  read: (cell) =>
    typeof cell === 'object' && cell !== null && !Array.isArray(cell)
      ? cell
      : refuse('invalid_type', 'Send an object.'),
  print: (column) => column,
  example: {},
  bad: ['x', 7, []],
})

/** Addresses, each once. */
const addresses: Kind<string[]> = {
  type: 'list',
  schema: Type.Array(email.schema, { maxItems: RECIPIENTS }),
  pg: 'text[]',
  read(cell, context) {
    if (!Array.isArray(cell) || cell.length > RECIPIENTS)
      return refuse('invalid_type', `Send a list of at most ${RECIPIENTS} e-mail addresses.`)
    const read = cell.map((address: unknown) => email.read(address, context))
    const strange = read.findIndex((address) => typeof address !== 'string')
    if (strange >= 0) return refuse('invalid_email', `Item ${strange + 1} is not an e-mail address.`)
    return [...new Map((read as string[]).map((address) => [address.toLowerCase(), address])).values()]
  },
  print: (column) => column,
  example: ['finance@example.com'],
  bad: ['a@example.com', [7], ['x'], Array(RECIPIENTS + 1).fill('a@example.com')],
}

const monthDay = oneOf(...MONTH_DAYS)
/** What a write of a saved report may hold. */
export const savedReportAttributes = {
  name: { ...string(NAME_MAXIMUM), required: true },
  preset_key: { ...string(100), note: 'Key of a preset, with `filters`. Send either a preset or a `definition`.' },
  filters: object('Filters of the preset by name. Dates can be relative: `today-7`, `month_start-1`, `month_end-1`.'),
  definition: object('`entity`, `columns`, `filters` (`field`, `operator`, `value`), `group_by` and `sort`.'),
  schedule_frequency: oneOf(...FREQUENCIES),
  schedule_hour: { ...integer(0, 23), pg: 'smallint', note: 'In the time zone of the account.' },
  schedule_weekday: oneOf(...WEEKDAYS),
  schedule_day: {
    ...monthDay,
    read: (cell, context) => monthDay.read(typeof cell === 'number' ? String(cell) : cell, context),
    note: '1 to 28, or last.',
  },
  schedule_paused: {
    ...boolean,
    default: false,
    note: 'True pauses the schedule; false resumes it with the policies of this key.',
  },
  file_format: { ...oneOf(...FILE_FORMATS.map(({ extension }) => extension)), default: 'csv' },
  recipients: { ...pii(addresses), default: [] as string[] },
} satisfies Record<string, Field>

/** A saved report as its stored attributes. */
export type SavedReport = {
  readonly name: string
  readonly preset_key: string | null
  readonly filters: Readonly<Record<string, unknown>> | null
  readonly definition: unknown
  readonly schedule_frequency: (typeof FREQUENCIES)[number] | null
  readonly schedule_hour: number | null
  readonly schedule_weekday: string | null
  readonly schedule_day: string | null
  readonly schedule_paused: boolean
  readonly file_format: (typeof FILE_FORMATS)[number]['extension']
  readonly recipients: readonly string[]
}
