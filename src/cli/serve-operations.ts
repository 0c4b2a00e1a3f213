import type { Deps } from '../deps.ts'
import { buildOperations } from '../operations.ts'
import { UserError } from '../platform/user-error.ts'
import type { StartedWork } from './stopping.ts'

/** Serves metrics and readiness at METRICS_ADDRESS, if it is set. */
export async function serveOperations(deps: Deps, stopping: AbortSignal, all: StartedWork): Promise<void> {
  const { metricsAddress } = deps.config
  if (metricsAddress === null) return
  const operations = buildOperations(deps, stopping)
  all.push(() => operations.close())
  await operations.listen(metricsAddress).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw new UserError(
      'invalid_configuration',
      `METRICS_ADDRESS ${metricsAddress.host}:${metricsAddress.port} is in use. Choose another address.`,
    )
  })
}
