// node bench/overload.ts: what a process does with five times the requests that it can answer, and when that is over.
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { newDataDir, startCell } from './cell.ts'
import { cleanUp, cleanUpOnSignals } from './cleanup.ts'
import { spread } from './measure.ts'

const SECONDS = 5
const CONNECTIONS = 16
const TIMES = 5
const TICK_MS = 10
const CALM = 20

type Answers = { readonly ms: Map<number, number[]>; failed: number; open: number }

cleanUpOnSignals()
try {
  const { url, sharedTrip } = await startCell(newDataDir())
  if (sharedTrip === null) throw new Error('The cell has no demo')
  const page = url + sharedTrip
  await closedLoop(page, 2)
  const able = await closedLoop(page, SECONDS)
  const offered = Math.round(able * TIMES)
  const asking = askAfter(url)
  const during = await openLoop(page, offered, SECONDS)
  const health = await asking.stop()
  const recovered = await timeToCalm(page)
  const rate = (status: number) => Math.round((during.ms.get(status)?.length ?? 0) / SECONDS)
  const lines = [
    `able to            ${Math.round(able)} a second`,
    `offered            ${offered} a second for ${SECONDS} s`,
    `answered           ${rate(200)} a second, p50 ${at(during.ms.get(200), 0.5)} ms, p99 ${at(during.ms.get(200), 0.99)} ms`,
    `refused with 503   ${rate(503)} a second, p50 ${at(during.ms.get(503), 0.5)} ms`,
    `other answers      ${[...during.ms.keys()].filter((status) => status !== 200 && status !== 503).join(', ') || 'none'}, ${during.failed} without an answer`,
    `/health, /ready    ${health.ok} of ${health.asked} were 200, the slowest took ${Math.round(health.slowest)} ms`,
    `recovered          ${Math.round(recovered)} ms after the last answer, to ${CALM} answers of 200 in a row`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
} finally {
  await cleanUp()
}

/** What so large a part of the values does not exceed. */
function at(values: readonly number[] | undefined, part: number): number {
  return Math.round((values ?? []).toSorted((a, b) => a - b)[Math.floor((values?.length ?? 0) * part)] ?? 0)
}

/** Sends one request and answers its status; 0 where there was no answer. */
function ask(url: string): Promise<number> {
  return new Promise((resolve) => {
    const sent = request(url, { agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
    sent.on('error', () => resolve(0)).end()
  })
}

/** Requests a second, where each connection waits for its answer. */
async function closedLoop(url: string, seconds: number): Promise<number> {
  let answered = 0
  const until = performance.now() + seconds * 1000
  const work = async () => {
    for (; performance.now() < until; answered++) await ask(url)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  return answered / seconds
}

/** Sends so many a second, whether they are answered or not, and waits for the last. */
async function openLoop(url: string, rate: number, seconds: number): Promise<Answers> {
  const answers: Answers = { ms: new Map(), failed: 0, open: 0 }
  const send = async () => {
    const begin = performance.now()
    answers.open++
    const status = await ask(url)
    answers.open--
    if (status === 0) answers.failed++
    else answers.ms.getOrInsert(status, []).push(performance.now() - begin)
  }
  const begin = performance.now()
  for (let sent = 0; performance.now() - begin < seconds * 1000; await sleep(TICK_MS)) {
    for (const due = ((performance.now() - begin) / 1000) * rate; sent < due; sent++) void send()
  }
  while (answers.open > 0) await sleep(TICK_MS)
  return answers
}

/** Asks after the process all the while. */
function askAfter(url: string) {
  let stopped = false
  const seen: { status: number; ms: number }[] = []
  const asking = (async () => {
    for (; !stopped; await sleep(100)) {
      for (const path of ['/api/v1/health', '/ready']) {
        const begin = performance.now()
        seen.push({ status: await ask(url + path), ms: performance.now() - begin })
      }
    }
  })()
  return {
    async stop() {
      stopped = true
      await asking
      const ok = seen.filter(({ status }) => status === 200).length
      return { asked: seen.length, ok, slowest: spread(seen.map(({ ms }) => ms)).max }
    },
  }
}

async function timeToCalm(url: string): Promise<number> {
  const begin = performance.now()
  let calmSince = begin
  for (let calm = 0; calm < CALM; ) {
    if ((await ask(url)) === 200) calm++
    else {
      calm = 0
      calmSince = performance.now()
    }
  }
  return calmSince - begin
}
