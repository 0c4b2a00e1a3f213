import { plainSql, unwrapped } from './plain-sql.ts'
import type { Column, Constraint, Relation, Routine } from './read-schema.ts'

const WIDTH = 120
const LINE_WIDTH = 140
const HEAD = `The tables, views and functions of the database, by the feature that owns them, for reading. \`npm run generate\` writes this \
file from a migrated database; what makes the tables are the files in migrations/.`

type Areas = Readonly<Record<string, readonly string[]>>
type Schema = { readonly relations: readonly Relation[]; readonly routines: readonly Routine[] }

/** The schema as a file of SQL: a section for each area, its tables in the order of the list. `migrations` is their SQL. */
export function printSchema({ relations, routines }: Schema, areas: Areas, migrations: string): string {
  const usual = mostCommon(relations.map(protectionOf))
  const printed = new Map([
    ...routines.map((routine) => [routine.name, printRoutine(routine, migrations)] as const),
    ...relations.map((relation) => [relation.name, printRelation(relation, usual)] as const),
  ])
  refuseUnlisted([...printed.keys()], Object.values(areas).flat())
  const sections = Object.entries(areas).map(([area, names]) =>
    [`-- # ${area}`, ...names.map((name) => printed.get(name))].join('\n\n'),
  )
  const wall = `\`call wall('t')\` stands for:\n${usual.replaceAll('%', 't').replace(/^/gm, '  ')}`
  return `${[comment(HEAD), wall.replace(/^/gm, '-- '), ...sections].join('\n\n')}\n`
}

function refuseUnlisted(there: readonly string[], listed: readonly string[]): void {
  const unlisted = there.filter((name) => !listed.includes(name))
  const gone = listed.filter((name) => !there.includes(name))
  const twice = listed.filter((name, at) => listed.indexOf(name) !== at)
  if (unlisted.length > 0)
    throw new Error(
      `Add ${unlisted.join(', ')} to an owner: a table in src/table-owners.ts, a view or a function in scripts/schema/areas.ts. Then run npm run generate again`,
    )
  if (gone.length + twice.length > 0)
    throw new Error(
      `Not in the database, or named twice, in src/table-owners.ts or scripts/schema/areas.ts: ${[...gone, ...twice].join(', ')}`,
    )
}

function printRelation(relation: Relation, usual: string): string {
  const { name, triggers, indexes } = relation
  const wall = protectionOf(relation)
  return [
    comment(relation.comment),
    relation.view === null ? printTable(relation) : printView(relation, relation.view),
    ...indexes.map((index) => commented(`${plainSql(index.definition)};`, index.comment)),
    ...triggers.map((trigger) => `${plainSql(trigger).replace(UNLINKING, auditUnlinking)};`),
    wall === usual ? `call wall('${name}');` : wall.replaceAll('%', name),
  ]
    .filter((part) => part !== '')
    .join('\n')
}

function printTable({ name, unlogged, options, columns, constraints }: Relation): string {
  const inline = (constraint: Constraint) => constraint.kind === 'c' && constraint.columns.length === 1
  const [width, types] = [widest(columns.map((column) => column.name)), widest(columns.map(typeOf))]
  const lines = [
    ...columns.map((column) => {
      const checks = constraints.filter((one) => inline(one) && one.columns[0] === column.name)
      const rest = [columnRest(column), ...checks.map((one) => plainSql(one.definition))].filter(Boolean).join(' ')
      const text = `${column.name.padEnd(width)} ${typeOf(column).padEnd(types)} ${rest}`.trimEnd()
      return { text, comment: column.comment }
    }),
    ...constraints.filter((one) => !inline(one)).map((one) => ({ text: printConstraint(one), comment: one.comment })),
  ]
  const body = lines.map(({ text, comment }, at) =>
    commented(`${text}${at < lines.length - 1 ? ',' : ''}`, comment).replace(/^/gm, '  '),
  )
  return [`create ${unlogged ? 'unlogged ' : ''}table ${name} (`, ...body, `)${withOptions(options)};`].join('\n')
}

const printView = ({ name, options }: Relation, query: string): string =>
  `create view ${name}${withOptions(options)} as\n${plainSql(query).trimEnd()}`

const withOptions = (options: Relation['options']): string =>
  options === null ? '' : ` with (${options.map((option) => option.replace('=', ' = ')).join(', ')})`

/** SQL of one line with its comment: after it if there is room, otherwise above it. */
function commented(sql: string, about: string | null): string {
  const line = about === null ? sql : `${sql} -- ${about}`
  return about === null || line.length <= LINE_WIDTH ? line : `${comment(about)}\n${sql}`
}

const SHORT: Readonly<Record<string, string>> = {
  'timestamp with time zone': 'timestamptz',
  'timestamp without time zone': 'timestamp',
}
const typeOf = ({ type }: Column): string => SHORT[type] ?? type.replace(',', ', ')

function columnRest({ type, not_null, default: given, generated, storage }: Column): string {
  const cast = `'::${type}`
  const value = given === null ? '' : plainSql(given.endsWith(cast) ? given.slice(0, 1 - cast.length) : given)
  const isOperation = / (->>|\|\|) /.test(value) && !value.startsWith('(')
  const set = value && `default ${isOperation ? `(${value})` : value}`
  const made = generated ? `generated always as (${unwrapped(value)}) stored` : set
  return [storage && `storage ${storage}`, not_null && 'not null', made].filter(Boolean).join(' ')
}

function printConstraint({ kind, definition, to_primary }: Constraint): string {
  const text = plainSql(definition)
  return kind === 'f' && to_primary ? text.replace(/(references \w+) ?\([^)]*\)/, '$1') : text
}

/** A body that PostgreSQL keeps parsed is printed as the migration wrote it. */
function printRoutine({ name, head, body, protection, comment: about }: Routine, migrations: string): string {
  const written = new RegExp(`^create (?:or replace )?function ${name}\\([^;]*;`, 'gm')
  const text = body === null ? migrations.match(written)?.at(-1) : `${plainSql(head)} ${body};`
  return [comment(about), text, ...protection.map((line) => `${line};`)].filter(Boolean).join('\n')
}

const UNLINKING =
  /create trigger unlink_(\w+) after update on (\w+) for each row when \(old.\1 is not null and new.\1 is distinct from old.\1\) execute function note_unlinking\('\1', '(\w+)', '(\w+)'\)/
/** The call of a migration that makes such a trigger. */
const auditUnlinking = (_: string, linking: string, table: string, id: string, linked: string): string =>
  `call audit_unlinking('${table}', '${linking}', '${linked}'${id === 'id' ? '' : `, '${id}'`})`

/** What protects a relation, with % for its name. */
const protectionOf = ({ name, protection }: Relation): string =>
  protection.map((line) => `${plainSql(line).replace(new RegExp(` ${name}\\b`), ' %')};`).join('\n')

function mostCommon(texts: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? ''
}

const widest = (texts: readonly string[]): number => Math.max(...texts.map(({ length }) => length))

/** A comment of whole lines, wrapped between words. */
function comment(text: string | null): string {
  const lines: string[] = []
  for (const word of (text ?? '').split(' ').filter(Boolean)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < WIDTH) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(`-- ${word}`)
  }
  return lines.join('\n')
}
