// The bare server that the product is held against, in a process of its own: no key, no plan, no limit, no policy.
import Fastify from 'fastify'
import { Pool } from 'pg'
import type { Connection } from '../src/platform/db/database.ts'
import { APP_OPTIONS } from './agencies.ts'

/** The same bytes each time, or a page of the feed by the same SQL. */
export type BareRoute =
  | { readonly path: string; readonly body: string }
  | { readonly path: string; readonly feed: { text: string; values: (string | number)[]; account: number } }
export type BareConfig = { readonly connection: Connection | null; readonly routes: readonly BareRoute[] }

const JSON_TYPE = 'application/json; charset=utf-8'

async function serve({ connection, routes }: BareConfig): Promise<string> {
  const app = Fastify()
  for (const route of routes) {
    if ('body' in route) {
      app.get(route.path, (_request, reply) => reply.header('content-type', JSON_TYPE).send(route.body))
      continue
    }
    const { text, values, account } = route.feed
    const pool = new Pool({ ...connection, max: 10, options: `${APP_OPTIONS} -c app.account=${account}` })
    app.get(route.path, async (request, reply) => {
      // The place reached takes the two slots that hold `changed` and `id`.
      const after = request.query as { changed: string; id: string }
      const filled = values.map((value) => (value === '$changed' ? after.changed : value === '$id' ? after.id : value))
      const { rows } = await pool.query({ name: 'feed', text, values: filled })
      const [{ items, more, changed, id }] = rows as [
        { items: string | null; more: boolean; changed: string; id: string },
      ]
      reply.header('content-type', JSON_TYPE)
      return `{"data":[${items ?? ''}],"page":{"has_more":${more},"next_cursor":"${changed} ${id}"}}`
    })
  }
  return app.listen({ port: 0, host: 'localhost' })
}

process.on('disconnect', () => process.exit(0))
process.once('message', async (config: BareConfig) => {
  process.send?.({ url: await serve(config) })
})
