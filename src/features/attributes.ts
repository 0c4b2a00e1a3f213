import Type, { type TSchema } from 'typebox'
import { type Fields, type Findings, missing, readCells, type Values } from '../catalogue/read-cells.ts'
import type { Actor, Company } from '../platform/access/actor.ts'
import { activeCompany, homeCompany } from '../platform/access/places.ts'
import { ApiError, type Details } from '../platform/http/errors.ts'
import { maybe } from '../platform/http/shapes.ts'

const NO_COMPANY = { company_id: ['is not an active company of the account'] }

/** The company of a record write: the one named, else that of the key owner's branch. */
export const companyFor = (actor: Actor, id: unknown): Company =>
  id === undefined || id === null ? homeCompany(actor) : activeCompany(actor, String(id), NO_COMPANY)

/** The company of a record that is there, also one that takes no new ones any more. */
export const companyOf = (actor: Actor, id: unknown): Company =>
  actor.companies.find((company) => company.id === id) ?? homeCompany(actor)

/** What reading a record write depends on; `terms` where it has terms of the account's lists. */
type Reading = {
  readonly company: Pick<Company, 'country' | 'currency'>
  readonly timeZone: string
  readonly creates: boolean
  readonly terms?: ReadonlyMap<string, string>
}

/**
 * Reads the attributes of a record write by the kinds that imports are read by: absent keys are absent, emptied ones
 * null, unknown ones ignored. Throws `validation_failed` with every reason.
 */
export function readAttributes(
  fields: Fields,
  given: Record<string, unknown>,
  { company, timeZone, creates, terms }: Reading,
): Values {
  const found: Findings = { errors: [], warnings: [], ignored: new Set() }
  const context = {
    decimalSeparator: '.' as const, // there is no way to name another
    country: company.country,
    currency: company.currency,
    timeZone,
    ...(terms && { terms }),
  }
  const values = readCells(fields, given, context, found)
  const required = missing(fields, values, found.errors).filter(({ at }) => creates || at in values)
  refuseAttributes([...found.errors, ...required].map(({ at, message }) => [at, message] as const))
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
export function refuseAttributes(reasons: readonly (readonly [attribute: string, reason: string])[]): void {
  if (reasons.length === 0) return
  const details: Record<string, string[]> = {}
  for (const [attribute, reason] of reasons) details[attribute] = [...(details[attribute] ?? []), reason]
  throw new ApiError(
    'validation_failed',
    'The record does not hold; details names each attribute and what is wrong with it.',
    {
      details: details satisfies Details,
    },
  )
}
