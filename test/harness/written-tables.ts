import type { Client } from 'pg'

type Plan = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly Plan[]
}

/** The tables that a statement writes, in its CTEs too: PostgreSQL plans it, and nothing runs. */
export async function writtenBy(client: Client, text: string): Promise<readonly string[]> {
  if (!/\b(insert|update|delete|merge)\b/i.test(text)) return [] // planning every report would take minutes
  const { rows } = await client.query<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(
    `explain (generic_plan, format json, verbose) ${text}`,
  )
  return [...new Set(rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => writtenIn(Plan))))]
}

function writtenIn(plan: Plan): readonly string[] {
  const own = plan['Node Type'] === 'ModifyTable' ? [plan['Relation Name'] as string] : []
  return [...own, ...(plan.Plans ?? []).flatMap(writtenIn)]
}
