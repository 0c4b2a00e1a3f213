import { monitorEventLoopDelay } from 'node:perf_hooks'
import { counter, gauge } from './instruments.ts'

const RESOLUTION_MS = 20
const NS = 1e9
const QUANTILES = [0.5, 0.99, 1] as const

const delay = gauge('backdesk_event_loop_delay_seconds', 'Event loop delay since the last scrape.', ['quantile'])
const resident = gauge('process_resident_memory_bytes', 'Resident memory of the process.')
const heap = gauge('nodejs_heap_size_used_bytes', 'JavaScript heap in use.')
const cpu = counter('process_cpu_seconds_total', 'CPU time used by the process.')
const began = gauge('process_start_time_seconds', 'Start time of the process, in seconds since the epoch.')
const build = gauge('backdesk_build_info', 'Build information; the value is always 1.', ['version', 'node'])

let spentSeconds = 0

/** Begins to look at the process itself. Answers how to note what it sees, and how to stop. */
export function watchProcess(version: string): { note(): void; stop(): void } {
  const loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  loop.enable()
  began.set([], performance.timeOrigin / 1000)
  build.set([version, process.versions.node], 1)
  return {
    note() {
      noteDelay(loop)
      const { rss, heapUsed } = process.memoryUsage()
      resident.set([], rss)
      heap.set([], heapUsed)
      const { user, system } = process.cpuUsage()
      const seconds = (user + system) / 1e6
      cpu.add([], seconds - spentSeconds)
      spentSeconds = seconds
    },
    stop: () => void loop.disable(),
  }
}

/** The histogram contains timer intervals; the excess over its resolution is the delay. */
function noteDelay(loop: ReturnType<typeof monitorEventLoopDelay>): void {
  for (const quantile of QUANTILES) {
    const interval = loop.count === 0 ? 0 : loop.percentile(quantile * 100)
    delay.set([String(quantile)], Math.max(0, interval / NS - RESOLUTION_MS / 1000))
  }
  loop.reset()
}
