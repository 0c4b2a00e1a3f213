import { readFileSync } from 'node:fs'
import { UserError } from '../user-error.ts'

/** An environment variable: the one place that states its name, default, meaning and format. */
export type Variable<T = unknown> = {
  readonly name: string
  /** As it would be written; null where an unset variable is null. */
  readonly default: string | null
  /** The meaning of an unset variable without a `default`, as Markdown for the documentation. */
  readonly unset?: string
  /** What it does, as Markdown for the documentation. */
  readonly meaning: string
  /** A secret, or an address that may hold one: never repeated in an error, and may be read from a file. */
  readonly secret?: true
  /** It must be set when one of these variables is. */
  readonly neededWith?: { readonly names: readonly string[]; readonly why: string }
  read(text: string): T | Invalid
}

/** Why the text of a variable is refused: what it must be. */
export class Invalid {
  readonly mustBe: string
  constructor(mustBe: string) {
    this.mustBe = mustBe
  }
}

type Table = Readonly<Record<string, Variable>>
type ValueOf<V extends Variable> = Exclude<ReturnType<V['read']>, Invalid> | (V['default'] extends null ? null : never)
/** What a table of variables is read as. */
export type ValuesOf<T extends Table> = { readonly [K in keyof T]: ValueOf<T[K]> }
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the variables of a table, or throws one error with all problems. `check` finds problems between variables;
 * invalid ones are undefined there.
 */
export function readVariables<T extends Table>(
  table: T,
  given: Environment,
  check: (values: Partial<ValuesOf<T>>) => readonly string[],
): ValuesOf<T> {
  const variables = Object.values(table)
  const problems: string[] = []
  const environment = withFiles(variables, given, problems)
  const values: Record<string, unknown> = {}
  for (const [key, variable] of Object.entries(table)) {
    const { name, default: otherwise, secret } = variable
    const text = environment[name]?.trim() || otherwise
    const value = text === null ? null : variable.read(text)
    if (value instanceof Invalid)
      problems.push(`${name} must be ${value.mustBe}; it is ${secret ? 'something else' : JSON.stringify(text)}.`)
    else values[key] = value
  }
  const isSet = (name: string) => Boolean(environment[name]?.trim())
  for (const { name, neededWith } of variables)
    if (neededWith?.names.some(isSet) && !isSet(name) && !problems.some((problem) => problem.startsWith(name)))
      problems.push(`${name} is required with ${neededWith.names.join(' and ')}: ${neededWith.why}.`)
  problems.push(...check(values as Partial<ValuesOf<T>>))
  if (problems.length === 0) return values as ValuesOf<T>
  throw new UserError('invalid_configuration', ['The configuration is invalid:', ...problems].join('\n  '))
}

/** A secret may be in a file that `NAME_FILE` names, as the secrets of containers are. */
function withFiles(variables: readonly Variable[], environment: Environment, problems: string[]): Environment {
  const read = { ...environment }
  for (const { name, secret } of variables) {
    const file = secret && environment[`${name}_FILE`]?.trim()
    if (!file) continue
    if (read[name]?.trim()) problems.push(`${name} and ${name}_FILE are both set. Remove one of them.`)
    try {
      const text = readFileSync(file, 'utf8').trim()
      if (text === '') problems.push(`${name}_FILE names an empty file, ${JSON.stringify(file)}.`)
      read[name] = text
    } catch {
      problems.push(`${name}_FILE must name a readable file; it is ${JSON.stringify(file)}.`)
    }
  }
  return read
}

/** The table of the documentation. */
export const variablesTable = (table: Table): string =>
  [
    '| Name | Default | Meaning |',
    '|---|---|---|',
    ...Object.values(table).map(({ name, default: value, unset, meaning, neededWith }) => {
      const needed = neededWith
        ? `. Required with ${neededWith.names.map((other) => `\`${other}\``).join(' and ')}`
        : ''
      return `| \`${name}\` | ${unset ?? (value ? `\`${value}\`` : 'none')} | ${meaning}${needed} |`
    }),
  ].join('\n')
