import Fastify, { type FastifyInstance } from 'fastify'
import type { Deps } from './deps.ts'
import { noteTraffic } from './platform/http/traffic.ts'
import { queueDepths } from './platform/jobs/queue-depths.ts'
import { scheduleQueue } from './platform/jobs/schedule.ts'
import { counter, gauge, metricsText } from './platform/metrics/instruments.ts'
import { watchProcess } from './platform/metrics/process.ts'
import { answerReadiness, readiness } from './readiness.ts'
import { queuesOf, scheduledJobs } from './registry.ts'
import { VERSION } from './version.ts'

const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'
const HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }

const connections = gauge('backdesk_database_connections', 'Connections of this process.', ['pool', 'state'])
const waiting = gauge('backdesk_database_waiting', 'Requests and jobs waiting for a connection.', ['pool'])
const longest = gauge(
  'backdesk_database_longest_wait_seconds',
  'How long the oldest waiter has waited for a connection.',
)
const turns = gauge('backdesk_writes_waiting', 'Writes waiting for another write of the same account.')
const incomplete = counter(
  'backdesk_incomplete_scrapes_total',
  'Scrapes without metrics of the database, because it did not respond.',
)

/**
 * The operator's endpoints of a process: `/metrics` and `/ready`. They have their own address, because the figures are
 * internal, and because a worker has no other address.
 */
export function buildOperations(deps: Deps, stopping: AbortSignal): FastifyInstance {
  const { db, log } = deps
  const app = Fastify({ forceCloseConnections: true })
  const watched = watchProcess(VERSION)
  const noteQueues = queueDepths(db, [...queuesOf(deps), scheduleQueue(deps, scheduledJobs)])
  let noting: Promise<void> | null = null
  app.addHook('onRequest', async (_request, reply) => void reply.headers(HEADERS))
  app.addHook('onClose', async () => watched.stop())
  app.get('/metrics', async (_request, reply) => {
    noting ??= noteQueues()
      .catch((error: unknown) => {
        incomplete.add([])
        log.warn({ err: error }, 'could not count the rows due in the queues')
      })
      .finally(() => {
        noting = null
      })
    await noting
    watched.note()
    noteDatabase(deps)
    noteTraffic()
    return reply.header('content-type', METRICS_TYPE).send(metricsText())
  })
  answerReadiness(app, readiness(deps, stopping))
  return app
}

function noteDatabase({ db }: Deps): void {
  const { pools, writesWaiting } = db.load()
  for (const [pool, load] of Object.entries(pools)) {
    connections.set([pool, 'in_use'], load.inUse)
    connections.set([pool, 'idle'], load.idle)
    waiting.set([pool], load.waiting)
  }
  longest.set([], db.longestWaitMs() / 1000)
  turns.set([], writesWaiting)
}
