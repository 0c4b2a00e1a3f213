import type { Reason } from './reasons.ts'
import type { Takes } from './route.ts'
import { unknownNames } from './unknown-names.ts'

type Shape = {
  readonly properties?: Readonly<Record<string, Shape>>
  readonly anyOf?: readonly Shape[]
}
/** The names of an object's attributes, each with those within it; null where there may be any. */
type Known = { readonly [name: string]: Known | null }
const NONE: readonly Reason[] = []

/**
 * Makes the search for attributes of a body that its declaration does not have. The command that reads a record's
 * attributes knows what these may be called.
 */
export function unknownAttributes({ body, attributes }: Takes): (given: Record<string, unknown>) => readonly Reason[] {
  const known = body ? knownIn(body as Shape) : {}
  // A name next to the record may be meant as one of its attributes.
  const within = attributes ? Object.keys(attributes.fields).map((name) => `${attributes.name}.${name}`) : []
  return (given) => (known === null || isKnown(known, given) ? NONE : strangersIn(known, given, '', within))
}

/** The object variant of a schema that may also be something else, such as null. */
function knownIn({ properties, anyOf = [] }: Shape): Known | null {
  if (properties) return Object.fromEntries(Object.entries(properties).map(([name, shape]) => [name, knownIn(shape)]))
  return anyOf.map(knownIn).find((known) => known !== null) ?? null
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Most bodies are: nothing is made for them. */
function isKnown(known: Known, given: unknown): boolean {
  if (!isObject(given)) return true
  for (const name in given) {
    const part = Object.hasOwn(known, name) ? known[name] : undefined
    if (part === undefined || (part !== null && !isKnown(part, given[name]))) return false
  }
  return true
}

function strangersIn(known: Known, given: unknown, at: string, within: readonly string[]): readonly Reason[] {
  if (!isObject(given)) return NONE
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(known, name))
  const inside = Object.entries(known).flatMap(([name, part]) =>
    part === null ? NONE : strangersIn(part, given[name], `${at}${name}.`, []),
  )
  const named = (names: readonly string[]) => names.map((name) => at + name)
  return [...unknownNames('attribute', named(unknown), [...named(Object.keys(known)), ...within]), ...inside]
}
