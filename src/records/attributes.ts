import Type, { type TSchema } from 'typebox'
import { type Fields, type Findings, missing, readCells, type Values } from '../catalogue/read-cells.ts'
import type { Actor, Company } from '../platform/access/actor.ts'
import { findCompany, homeCompany, UNKNOWN_COMPANY } from '../platform/access/places.ts'
import { type Reason, Reasons } from '../platform/http/reasons.ts'
import { maybe } from '../platform/http/shapes.ts'
import { unknownNames } from '../platform/http/unknown-names.ts'
import { withoutMasked } from './masked-attributes.ts'

/** The company of a record write: that of `company_id`, or the default one. */
export function companyFor(actor: Actor, id: unknown, otherwise: Company, reasons: Reasons): Company {
  if (!id) return otherwise
  const named = findCompany(actor, String(id))
  if (!named) reasons.add(['company_id', UNKNOWN_COMPANY, 'unknown_company'])
  return named ?? otherwise
}

/** The company of an existing record, even if it accepts no new ones any more. */
export const companyOf = (actor: Actor, id: unknown): Company =>
  actor.companies.find((company) => company.id === id) ?? homeCompany(actor)

/** The context of reading a record write; `terms` for attributes with the account's terms. */
type Reading = {
  readonly company: Pick<Company, 'country' | 'currency'>
  readonly timeZone: string
  readonly creates: boolean
  readonly terms?: ReadonlyMap<string, string>
  /** Attributes that the command reads itself. */
  readonly others?: readonly string[]
  /** What the record shows: a client may send back what it read, and what cannot be written of it is ignored. */
  readonly shows?: Readonly<Record<string, unknown>>
  /** Collects the errors; without it, the first is thrown. */
  readonly reasons?: Reasons
  /** Attributes of the record that the writer does not see. */
  readonly masked?: ReadonlySet<string>
}

/**
 * Reads the attributes of a record write with the field kinds of imports: absent keys are absent, emptied ones null,
 * unknown ones refused. Refused attributes are absent from the result.
 */
export function readAttributes(
  fields: Fields,
  given: Record<string, unknown>,
  { company, timeZone, creates, terms, others = [], shows = {}, reasons, masked = new Set() }: Reading,
): Values {
  const found: Findings = { errors: [], warnings: [], ignored: new Set() }
  const context = {
    decimalSeparator: '.' as const, // the API has no option for another one
    country: company.country,
    currency: company.currency,
    timeZone,
    ...(terms && { terms }),
  }
  const { open, closed } = withoutMasked(given, masked)
  const values = readCells(fields, open, context, found)
  const required = missing(fields, values, found.errors).filter(({ at }) => creates || at in values)
  const strangers = [...found.ignored].filter((name) => !others.includes(name) && !Object.hasOwn(shows, name))
  const refused = reasons ?? new Reasons()
  refused.add(...closed, ...[...found.errors, ...required].map(({ at, message }): Reason => [at, message]))
  refused.add(...unknownNames('attribute', strangers, [...Object.keys(fields), ...others]))
  if (!reasons) refused.refuse()
  return values
}

/** The attributes of a write, as a client writes them best. */
export const writeShape = (fields: Fields): Record<string, TSchema> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { schema, required }]) => [
      name,
      required ? schema : Type.Optional(maybe(schema)),
    ]),
  )

/** The attribute that names a record's company, where `companyFor` reads it. */
export const companyAttribute = (description: string) =>
  Type.Optional(Type.String({ format: 'uuid', maxLength: 36, description }))

const Unread = Type.Record(Type.String(), Type.Unknown())
/** The body of a write: attributes, which the command reads, under the record's name. */
export const takesAttributes = <N extends string>(name: N, fields: Fields, shape: TSchema) => ({
  body: Type.Object({ [name]: Unread } as Record<N, typeof Unread>),
  bodyInDocument: Type.Object({ [name]: shape }),
  attributes: { name, fields },
})

/** Throws `validation_failed` where there are reasons. */
export function refuseAttributes(reasons: readonly Reason[]): void {
  const all = new Reasons()
  all.add(...reasons)
  all.refuse()
}
