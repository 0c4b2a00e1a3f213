import { documentOf } from './routes.ts'

type Schema = {
  readonly $ref?: string
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}
type Written = {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >
}

const document = documentOf() as {
  paths: Readonly<Record<string, Readonly<Record<string, Written>>>>
  components: { schemas: Readonly<Record<string, Schema>> }
}
const named = (schema: Schema): Schema =>
  schema.$ref ? (document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema

/** The places of a schema that have no further ones, as `customer.name` or `lines[].amount`. */
function leavesOf(given: Schema, at = ''): string[] {
  const { anyOf = [], items, properties } = named(given)
  const inner = [
    ...anyOf.flatMap((one) => leavesOf(one, at)),
    ...(items ? leavesOf(items, `${at}[]`) : []),
    ...Object.entries(properties ?? {}).flatMap(([name, of]) => leavesOf(of, at ? `${at}.${name}` : name)),
  ]
  const further = inner.filter((path) => path !== at)
  return further.length > 0 ? further : [at]
}

/** The fields that an operation can answer, as the document has them; without the `data` around them. */
export function fieldsOf(method: string, path: string, status: number): ReadonlySet<string> {
  const written = document.paths[`/api/v1${path.replace(/:(\w+)/g, '{$1}')}`]?.[method.toLowerCase()]
  const schema = written?.responses[status]?.content?.['application/json']?.schema
  return new Set(schema ? leavesOf(schema).map((path) => path.replace(/^data(\[\])?\.?/, '')) : [])
}

/** Those of a schema that has a name. */
export const fieldsOfSchema = (name: string): ReadonlySet<string> =>
  new Set(leavesOf({ $ref: `#/components/schemas/${name}` }))

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)

/** The fields of which an answer shows something. */
export function visibleIn(body: unknown, fields: ReadonlySet<string>): Set<string> {
  const visible = new Set<string>()
  const look = (value: unknown, at: string): void => {
    if (isNothing(value)) return
    if (fields.has(at)) return void visible.add(at)
    if (Array.isArray(value)) for (const item of value) look(item, `${at}[]`)
    else if (typeof value === 'object')
      for (const [name, inner] of Object.entries(value as object)) look(inner, at ? `${at}.${name}` : name)
  }
  const { data, ...around } = (body ?? {}) as { data?: unknown }
  for (const item of Array.isArray(data) ? data : [data]) look(item, '')
  look(around, '')
  return visible
}
