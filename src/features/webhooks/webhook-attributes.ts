import Type from 'typebox'
import { type Field, type Kind, refuse } from '../../catalogue/kind.ts'
import { boolean, datetime, string } from '../../catalogue/kinds.ts'
import { enumOf } from '../../platform/http/shapes.ts'
import { URL_MAXIMUM } from '../../platform/net/destination.ts'
import { FIRING_ENTITIES, RECORD_EVENTS } from './event-kinds.ts'

const LIST_MAXIMUM = 100
/** How many unknown names a refusal repeats, and how much of each. */
const REPEATED = 20
const REPEATED_CHARACTERS = 40

/** Some of the program's own names, each once and in their order. */
const someOf = (names: readonly string[], none: readonly string[]): Kind<string[]> => ({
  type: 'list',
  schema: Type.Array(enumOf(names), { maxItems: LIST_MAXIMUM }),
  pg: 'text[]',
  read(cell) {
    if (!Array.isArray(cell)) return refuse('invalid_type', 'Send a list of names.')
    if (cell.length > LIST_MAXIMUM) return refuse('too_long', `Send at most ${LIST_MAXIMUM} names.`)
    const strange = cell.filter((name) => !names.includes(name))
    if (strange.length > 0)
      return refuse(
        'not_allowed',
        `Webhooks are not available for ${namesText(strange)}. Send one or more of ${names.join(', ')}.`,
      )
    return cell.length > 0 ? names.filter((name) => cell.includes(name)) : [...none]
  },
  print: (column) => column,
  example: names.slice(0, 2),
  bad: ['x', names[0], 7, {}, [7], ['x'], [null], [names[0], 'x']],
})
const namesText = (names: readonly unknown[]): string =>
  names
    .slice(0, REPEATED)
    .map((name) => (typeof name === 'string' ? name : JSON.stringify(name)).slice(0, REPEATED_CHARACTERS))
    .join(', ')

/**
 * The attributes of a subscription. Without events it receives all; without entities it receives all, including future
 * ones.
 */
export const webhookAttributes = {
  url: { ...string(URL_MAXIMUM), required: true },
  events: { ...someOf(RECORD_EVENTS, RECORD_EVENTS), default: RECORD_EVENTS },
  entities: { ...someOf(FIRING_ENTITIES, []), default: [] },
} satisfies Record<string, Field>

/** What of one can be changed. */
export const changeableAttributes = {
  ...webhookAttributes,
  active: { ...boolean, required: true },
} satisfies Record<string, Field>

/** When something failed that is to be sent again. */
export const spanAttributes = { since: { ...datetime, required: true }, until: datetime } satisfies Record<
  string,
  Field
>
