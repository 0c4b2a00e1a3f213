import type { FastifyInstance } from 'fastify'
import type { Deps } from './deps.ts'
import { migrationNames } from './platform/db/migrate.ts'
import { readAppliedNames } from './readiness.store.ts'

export type Readiness = { readonly ready: true } | { readonly ready: false; readonly reason: Reason }
/** In a word, without what only its operator should know. */
type Reason = 'stopping' | 'database' | 'migrations'

const WAIT_MS = 1_000
const RETRY_AFTER_S = 2

/**
 * Answers whether this process should be sent requests. However many ask at the same time, the database is asked once. A
 * database that a newer program has migrated further is as good.
 */
export function readiness({ db }: Pick<Deps, 'db'>, stopping: AbortSignal): () => Promise<Readiness> {
  const names = migrationNames()
  const look = async (): Promise<Readiness> => {
    const [found] = await db.watch(readAppliedNames, { names })
    return found?.count === names.length ? { ready: true } : { ready: false, reason: 'migrations' }
  }
  let looking: Promise<Readiness> | null = null
  return async () => {
    if (stopping.aborted) return { ready: false, reason: 'stopping' }
    looking ??= look().finally(() => {
      looking = null
    })
    const away: Readiness = { ready: false, reason: 'database' }
    const late = Promise.withResolvers<Readiness>()
    const timer = setTimeout(() => late.resolve(away), WAIT_MS)
    const found = await Promise.race([looking.catch(() => away), late.promise])
    clearTimeout(timer)
    return stopping.aborted ? { ready: false, reason: 'stopping' } : found
  }
}

/** Reports it to the load balancer at `/ready`: 200 or 503. */
export function answerReadiness(app: FastifyInstance, isReady: () => Promise<Readiness>): void {
  app.get('/ready', async (_request, reply) => {
    const found = await isReady()
    if (!found.ready) reply.code(503).header('retry-after', RETRY_AFTER_S)
    return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(found))
  })
}
