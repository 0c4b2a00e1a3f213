import type { Details } from '../user-error.ts'

/** A fault that the validator reports. */
export type Fault = {
  readonly keyword: string
  readonly instancePath: string
  readonly params: object
  readonly message: string
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
}
const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  date: 'a date such as 2026-03-02',
  'date-time': 'a time such as 2026-03-02T10:00:00Z',
}

type Params = {
  readonly allowedValues: readonly unknown[]
  readonly type: string | readonly string[]
  readonly format: string
  readonly pattern: string
  readonly limit: number
}
const WORDS: Readonly<Record<string, (params: Params) => string>> = {
  enum: ({ allowedValues }) => `Send one of ${allowedValues.join(', ')}.`,
  type: ({ type }) =>
    `Send ${[type]
      .flat()
      .map((one) => TYPES[one])
      .join(' or ')}.`,
  format: ({ format }) => `Send ${FORMATS[format] ?? `text of the form ${format}`}.`,
  pattern: ({ pattern }) => `Must match ${pattern}.`,
  minLength: ({ limit }) => (limit === 1 ? 'Must not be empty.' : `Send at least ${limit} characters.`),
  maxLength: ({ limit }) => `Send at most ${limit} characters.`,
  minItems: ({ limit }) => (limit === 1 ? 'Must not be empty.' : `Send at least ${limit} items.`),
  maxItems: ({ limit }) => `Send at most ${limit} items.`,
  minimum: ({ limit }) => `Must be at least ${limit}.`,
  maximum: ({ limit }) => `Must be at most ${limit}.`,
}

/** Names what to send for each attribute that is invalid. */
export function explain(faults: readonly Fault[]): Details {
  const details = new Map<string, string[]>()
  const note = (attribute: string, words: string) => {
    details.set(attribute, [...(details.get(attribute) ?? []), words])
  }
  for (const fault of relevantFaults(faults)) {
    const at = fault.instancePath.slice(1).replaceAll('/', '.')
    const missing = (fault.params as { requiredProperties?: string[] }).requiredProperties
    for (const name of missing ?? []) note(at ? `${at}.${name}` : name, 'This field is required.')
    if (!missing) note(at || 'base', WORDS[fault.keyword]?.(fault.params as Params) ?? fault.message)
  }
  return Object.fromEntries(details)
}

/** A nullable field needs no hint that it could have been null, or that no alternative matches. */
function relevantFaults(faults: readonly Fault[]): readonly Fault[] {
  const isAside = ({ keyword, params }: Fault) =>
    keyword === 'anyOf' || (keyword === 'type' && (params as Params).type === 'null')
  const relevant = faults.filter((fault) => !isAside(fault))
  const isBelow = (path: string) => relevant.some(({ instancePath }) => `${instancePath}/`.startsWith(`${path}/`))
  const asides = faults.filter((fault) => isAside(fault) && !isBelow(fault.instancePath))
  return [...relevant.filter(({ keyword, instancePath }) => !isImplied(relevant, keyword, instancePath)), ...asides]
}

/** Faults that follow from another: a value of the wrong type is also not in the enum and has no length. */
function isImplied(faults: readonly Fault[], keyword: string, path: string): boolean {
  const others = faults.filter((fault) => fault.instancePath === path && fault.keyword !== keyword)
  const hasFault = (word: string) => others.some((fault) => fault.keyword === word)
  return hasFault('enum') || (keyword !== 'enum' && hasFault('type'))
}
