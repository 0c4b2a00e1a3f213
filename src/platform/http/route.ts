import type { Static, TSchema } from 'typebox'
import type { Actor } from '../access/actor.ts'
import type { Feature } from '../access/plans.ts'
import type { Demand, Scope } from '../access/policies.ts'
import type { Principal } from '../access/principal.ts'
import type { AuditEntry } from '../audit.ts'
import type { AccountReader, AccountTx } from '../db/account-tx.ts'
import type { Files } from '../files/files.ts'
import type { JsonText } from '../json-text.ts'
import type { Deprecation } from './deprecation.ts'
import type { ErrorCode } from './errors.ts'
import type { Reason, Reasons } from './reasons.ts'
import type { ReceivedFile } from './receive-file.ts'

/** A page as asked for. `after` is the sort key that the cursor holds. */
export type PageRequest = {
  readonly limit: number
  readonly after: readonly string[] | null
  /** The cursor that continues behind this sort key. */
  cursor(key: readonly string[]): string
}
export const DEFAULT_LIMIT = 25
export const MAXIMUM_LIMIT = 100

type Of<S> = S extends TSchema ? Static<S> : undefined
type FileOf<F> = F extends true ? ReceivedFile : undefined
export type Takes = {
  readonly query?: TSchema
  readonly params?: TSchema
  readonly body?: TSchema
  /** The body in the document, if it is more specific than the validation before the handler. */
  readonly bodyInDocument?: TSchema
  /** Bodies that the document shows, by their names; without them it makes one. */
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>
  /** The attributes of a record that the body holds under this name; the tests try every one of them. */
  readonly attributes?: { readonly name: string; readonly fields: Readonly<Record<string, object>> }
  /** No body is an empty one. */
  readonly bodyIsOptional?: true
  /** A file, as the part `file` of a multipart body. */
  readonly file?: true
}
/** What every handler has at hand. What one feature alone needs, its routes are made with. */
export type HandlerTools = {
  readonly files: Files
  /** Where clients reach the cell, without a slash at its end. */
  readonly publicUrl: string
}
export type Input<T extends Takes = Takes> = HandlerTools & {
  readonly actor: Actor
  readonly principal: Principal
  readonly query: Of<T['query']>
  readonly params: Of<T['params']>
  readonly body: Of<T['body']>
  readonly file: FileOf<T['file']>
  readonly page: PageRequest
  /** Why names of the body are refused; the write is run to find what else is wrong with it, and is taken back. */
  readonly unknownAttributes: Reasons | null
  /** Where the request comes from. */
  readonly address: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Runs `fn` in a transaction of the actor's account that is over before the request's own begins. */
export type InTransaction = <R>(fn: (tx: AccountTx) => Promise<R>) => Promise<R>

/** Under which heading of the document a route stands. */
export type Tag = { readonly name: string; readonly description: string }

/** What a handler answers where a text alone does not say it all. */
export type RouteAnswer = {
  readonly body: JsonText | Buffer
  /** Another than the route's usual one; then it is among `alsoAnswers`. */
  readonly status?: number
  /** The path of the created or accepted resource. */
  readonly location?: string
  /** Under which name a browser saves the body. */
  readonly filename?: string
}
type AnswerType = 'application/json' | 'text/csv' | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
type DeclaredAnswer<A extends TSchema> = {
  readonly status: 200 | 201 | 202 | 204 | 422
  readonly body: A
  readonly description: string
}

type Answered<T> = JsonText<ReadOnly<T>> | RouteAnswer
type ReadOnly<T> = T extends readonly (infer E)[]
  ? readonly ReadOnly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: ReadOnly<T[K]> }
    : T

/**
 * A request as one object: the permission matrix, the OpenAPI document and the tests read the same ones. A GET holds a
 * reader; every other method one transaction for the whole request.
 */
export type Route<M extends string = string, T extends Takes = Takes, A extends TSchema = TSchema, P = unknown> = {
  readonly method: M
  /** Below `/api/v1`, parameters as `:name`. */
  readonly path: string
  readonly tag: Tag
  readonly summary: string
  readonly description?: string
  /** Its deprecation. */
  readonly deprecated?: Deprecation
  readonly scope: readonly [Scope, ...Scope[]]
  /** What the role needs. */
  readonly policy: Demand
  /** The required plan feature, besides the API itself. */
  readonly feature?: Feature
  /** Reads what takes its time: its reader is that of the reports. */
  readonly slow?: true
  /** Pushes records: a larger body, a lower rate, and `rows` whose strings are read row by row. */
  readonly ingest?: true
  readonly takes: T
  /** Refuses by the path and the size of the body, before anything looks into the body. */
  precheck?(params: Of<T['params']>, body: unknown): void
  /** What its handler would find wrong with a body whose shape is wrong, to be answered together with that. */
  inspect?(body: Readonly<Record<string, unknown>>, actor: Actor): readonly Reason[]
  /**
   * Does what may take its time, before the transaction opens; what it answers is handed to the handler. It runs for a
   * request that is then replayed as well, so it must do no harm twice.
   */
  prepare?(input: Input<T>, inTransaction: InTransaction): Promise<P>
  /** For a slow GET: reads its preconditions from the primary, since a replica may lag. */
  find?(reader: AccountReader, input: Input<T>): Promise<P>
  /** For a GET that exports data: its audit entry, written before the response. */
  audits?(input: Input<T>): AuditEntry
  readonly answers: DeclaredAnswer<A> & { readonly type?: AnswerType }
  /** Other answers that are no refusals: what the handler did is kept. */
  readonly alsoAnswers?: readonly DeclaredAnswer<TSchema>[]
  /** The codes that are its own; those that every route can answer are added. */
  readonly errors: readonly ErrorCode[]
  handle(
    tx: M extends 'GET' ? AccountReader : AccountTx,
    input: Input<T>,
    prepared: P,
  ): Promise<Answered<Static<A>>> | Answered<Static<A>>
}

export const route = <
  const M extends 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  T extends Takes,
  A extends TSchema,
  P = undefined,
>(
  declared: Route<M, T, A, P>,
): Route => declared as unknown as Route

/** A change by PATCH, and by PUT for clients that know no PATCH: the two are one. */
export const patchAndPut = <T extends Takes, A extends TSchema, P = undefined>(
  declared: Omit<Route<'PATCH', T, A, P>, 'method'>,
): Route[] => (['PATCH', 'PUT'] as const).map((method) => route({ ...declared, method }))
