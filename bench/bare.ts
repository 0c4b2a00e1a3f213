// The bare server for comparison, in a separate process: no keys, plans, limits or policies.
import { randomUUIDv7 } from 'node:crypto'
import Fastify, { type FastifyInstance } from 'fastify'
import { Pool, type PoolConfig } from 'pg'
import type { Connection } from '../src/platform/db/client.ts'
import { BEGIN, beginAs, COMMIT, type Session, setAccount } from '../src/platform/db/session.ts'
import { BACKGROUND } from '../src/platform/operator.ts'
import { APP_OPTIONS } from './agencies.ts'

/** SQL whose values of the form `$name` come out of the query string and the body. */
export type BareSql = { readonly text: string; readonly values: readonly unknown[] }
/** The accounts take turns, and each request names its own in the query string. */
type OfAccounts =
  /** One page, read from the last statement or from an earlier one that returns more than a page. */
  | { readonly path: string; readonly page: readonly BareSql[] }
  | { readonly path: string; readonly item: BareSql }
  | { readonly path: string; readonly insert: BareSql }
type OfFeed = {
  readonly path: string
  readonly feed: { text: string; values: (string | number)[]; account: number }
}
/** The same bytes each time, a page of the feed by the same SQL, or what a route of customers does by the same SQL. */
export type BareRoute = OfAccounts | OfFeed | { readonly path: string; readonly body: string }
export type BareConfig = { readonly connection: Connection | null; readonly routes: readonly BareRoute[] }

const JSON_TYPE = 'application/json; charset=utf-8'

async function serve({ connection, routes }: BareConfig): Promise<string> {
  const app = Fastify()
  // As the product has it: queries are sent without waiting, and the account stays set on the connection.
  const accounts = new Pool({ ...connection, max: 10, options: APP_OPTIONS, pipeline: true } as PoolConfig)
  for (const route of routes) {
    if ('body' in route)
      app.get(route.path, (_request, reply) => reply.header('content-type', JSON_TYPE).send(route.body))
    else if ('feed' in route) serveFeed(app, connection, route)
    else serveAccounts(app, accounts, route)
  }
  return app.listen({ port: 0, host: 'localhost' })
}

function serveFeed(app: FastifyInstance, connection: Connection | null, { path, feed }: OfFeed): void {
  const { text, values, account } = feed
  const pool = new Pool({ ...connection, max: 10, options: `${APP_OPTIONS} -c app.account=${account}` })
  app.get(path, async (request, reply) => {
    // The place reached takes the two slots that hold `changed` and `id`.
    const after = request.query as { changed: string; id: string }
    const filled = values.map((value) => (value === '$changed' ? after.changed : value === '$id' ? after.id : value))
    const { rows } = await pool.query({ name: 'feed', text, values: filled })
    const [{ items, more, changed, id }] = rows as [{ items: string; more: boolean; changed: string; id: string }]
    reply.header('content-type', JSON_TYPE)
    return `{"data":${items},"page":{"has_more":${more},"next_cursor":"${changed} ${id}"}}`
  })
}

type Given = Readonly<Record<string, unknown>>

function serveAccounts(app: FastifyInstance, pool: Pool, route: OfAccounts): void {
  const prepared = ({ text, values }: BareSql, given: Given, nth = 0) => ({
    name: `${route.path} ${nth}`,
    text,
    values: values.map((value) => (typeof value === 'string' && value[0] === '$' ? given[value.slice(1)] : value)),
  })
  app.route({
    method: 'insert' in route ? 'POST' : 'GET',
    url: route.path,
    async handler(request, reply) {
      const given: Given = {
        id: randomUUIDv7(),
        ...(request.query as object),
        values: JSON.stringify(request.body ?? null),
      }
      const account = Number(given.account)
      reply.header('content-type', JSON_TYPE)
      const session = (await pool.connect()) as Session
      try {
        if ('insert' in route) {
          const sent = [BEGIN, beginAs(account, BACKGROUND), prepared(route.insert, given), COMMIT]
          await Promise.all(sent.map((query) => session.query(query)))
          reply.code(201)
          return `{"data":{"id":"${given.id}"}}`
        }
        if (session.account !== account) {
          session.account = account
          void session.query(setAccount(account))
        }
        if ('item' in route) return `{"data":${(await session.query(prepared(route.item, given))).rows[0].item}}`
        let found: { items: string; more: boolean; last: unknown } | undefined
        for (const [nth, sql] of route.page.entries()) {
          found = (await session.query(prepared(sql, given, nth))).rows[0]
          if (found?.more) break
        }
        return `{"data":${found?.items},"page":{"next_cursor":${JSON.stringify(found?.last)},"has_more":${found?.more}}}`
      } finally {
        session.release()
      }
    },
  })
}

process.on('disconnect', () => process.exit(0))
process.once('message', async (config: BareConfig) => {
  process.send?.({ url: await serve(config) })
})
