import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { UserError } from '../platform/user-error.ts'

/** The fields of a record, as command options. */
export type GivenFields = { readonly set?: string[]; readonly data?: string }

/** Takes the fields of a record, one by one or as JSON. */
export const takesFields = (command: Command): Command =>
  command
    .option('--set <field=value>', 'a field; may be repeated', pairs)
    .option('--data <json>', 'fields as a JSON object, or @FILE')

/** Values may hold commas, so each option is one pair. */
const pairs = (value: string, before: string[] = []): string[] => [...before, value]

export async function fieldsOf({ set = [], data }: GivenFields): Promise<Record<string, unknown>> {
  const text = data?.startsWith('@') ? await readFile(data.slice(1), 'utf8') : (data ?? '{}')
  const given: unknown = parse(text)
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new UserError('invalid_value', '--data takes a JSON object of fields.')
  const named = set.map((pair) => {
    const at = pair.indexOf('=')
    if (at < 1) throw new UserError('invalid_value', `--set takes field=value, not ${pair}.`)
    return [pair.slice(0, at), pair.slice(at + 1)] as const
  })
  return { ...given, ...Object.fromEntries(named) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UserError('invalid_value', '--data takes a JSON object of fields.')
  }
}
