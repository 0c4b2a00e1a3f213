import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

const TICK_MS = 5
const GIVE_UP_MS = 30_000
const STATUS_AT = 'HTTP/1.1 '.length
const LENGTH = /\r\ncontent-length: (\d+)\r\n/i

/** Requests that are sent at a rate, whether the earlier ones are answered or not. */
export type Stream = {
  readonly url: string
  readonly rate: number
  readonly seconds: number
  /** Whether each request opens a connection of its own instead of taking a free one. */
  readonly fresh: boolean
}
/** One request: its due time and the duration of its answer in milliseconds; status 0 without an answer. */
export type Answer = { readonly at: number; readonly ms: number; readonly status: number }

/** Sends from a separate thread, so that other measurements in this process are not delayed. */
export function openLoop(stream: Stream): Promise<readonly Answer[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly Answer[]>()
  new Worker(new URL(import.meta.url), { workerData: stream }).on('message', resolve).on('error', reject)
  return promise
}

if (!isMainThread && parentPort) parentPort.postMessage(await send(workerData as Stream))

/** The time of a request starts at its due time, so a late sender hides nothing. */
async function send({ url, rate, seconds, fresh }: Stream): Promise<Answer[]> {
  const answers: Answer[] = []
  const free: Socket[] = []
  const { hostname, port, pathname, search } = new URL(url)
  const text = `GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${fresh ? 'Connection: close\r\n' : ''}\r\n`
  const begin = performance.now()
  let open = 0
  const ask = (due: number) => {
    open++
    const socket = free.pop() ?? connect(Number(port), hostname).setNoDelay()
    const end = (status: number) => {
      open--
      answers.push({ at: due, ms: performance.now() - begin - due, status })
      socket.removeAllListeners().on('error', () => {})
      if (fresh || status === 0) socket.destroy()
      else free.push(socket)
    }
    let received = ''
    socket.setTimeout(GIVE_UP_MS, () => end(0))
    socket.on('error', () => end(0)).on('close', () => end(0))
    socket.on('data', (bytes: Buffer) => {
      received += bytes.toString('latin1')
      const head = received.indexOf('\r\n\r\n')
      const length = LENGTH.exec(received)?.[1]
      if (head === -1 || received.length < head + 4 + Number(length ?? 0)) return
      end(Number(received.slice(STATUS_AT, STATUS_AT + 3)))
    })
    socket.write(text)
  }
  let sent = 0
  for (let now = 0; now < seconds * 1000; now = performance.now() - begin) {
    for (; sent < (now / 1000) * rate; sent++) ask((sent / rate) * 1000)
    await sleep(TICK_MS)
  }
  while (open > 0) await sleep(TICK_MS)
  for (const socket of free) socket.destroy()
  return answers
}
