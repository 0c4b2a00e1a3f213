import { documentOf } from '../harness/routes.ts'

/** As much of JSON Schema as the document uses. */
export type Schema = {
  readonly $ref?: string
  readonly type?: string
  readonly anyOf?: readonly Schema[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}
type Parameter = { readonly name: string; readonly in: 'path' | 'query' | 'header'; readonly schema: Schema }
type Body = { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
type Written = {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Body
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>
}
/** A method of an address, as the document has it. */
export type Operation = {
  readonly method: string
  /** Below `/api/v1`, parameters as `:name`. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  /** The schema of its JSON, the word `file`, or null where it takes no body. */
  readonly body: Schema | 'file' | null
  /** Statuses that refusals have, and nothing else. */
  readonly refusals: ReadonlySet<number>
}

const document = documentOf() as {
  paths: Readonly<Record<string, Readonly<Record<string, Written>>>>
  components: {
    schemas: Readonly<Record<string, Schema>>
    responses: Readonly<Record<string, { description: string }>>
  }
}

export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([address, methods]) =>
  Object.entries(methods).map(([method, { parameters = [], requestBody, responses }]) => ({
    method: method.toUpperCase(),
    path: address.replace('/api/v1', '').replace(/\{(\w+)\}/g, ':$1'),
    parameters,
    body: requestBody ? (requestBody.content['application/json']?.schema ?? 'file') : null,
    refusals: new Set(
      Object.keys(responses)
        .filter((status) => responses[status]?.$ref)
        .map(Number),
    ),
  })),
)

/** The actual schema, if one references another. */
export const resolved = (schema: Schema): Schema =>
  schema.$ref ? (document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema

/** The codes that the document gives to a status of refusal. */
export const codesOf = (status: number): readonly string[] =>
  /One of the codes (.*)\./
    .exec(document.components.responses[`Error${status}`]?.description ?? '')?.[1]
    ?.split(', ') ?? []
