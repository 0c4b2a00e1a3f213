import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import Fastify from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { openDoors } from './doors.ts'

const HOST = '127.0.0.1'
const ON_LINUX = process.platform === 'linux'
const COMING = 64

async function opened(host = HOST) {
  const app = Fastify({ forceCloseConnections: true })
  app.get('/', async () => 'in')
  const doors = await openDoors(app, { port: 0, host })
  const close = () => Promise.all([app.close(), doors.close()])
  onTestFinished(() => void close())
  return { app, doors, close }
}

it.runIf(ON_LINUX)('takes many connections in a turn of the event loop', async () => {
  const { app, doors } = await opened()
  let [turn, come] = [0, 0]
  const turns = new Set<number>()
  app.server.on('connection', () => {
    come++
    turns.add(turn)
  })
  // The kernel has all of them before the event loop turns.
  for (let n = 0; n < COMING; n++) {
    const socket = connect(doors.port, HOST)
    onTestFinished(() => void socket.destroy())
  }
  for (; come < COMING; turn++) await new Promise(setImmediate)
  expect(turns.size).toBeLessThan(COMING / 2)
})

it('serves at every address of a host, by all of its doors, until it is closed', async () => {
  const { doors, close } = await opened('localhost')
  const ask = async () => {
    const answer = await fetch(`http://localhost:${doors.port}/`, { headers: { connection: 'close' } })
    return answer.text()
  }
  expect(await Promise.all(Array.from({ length: COMING }, ask))).toEqual(Array(COMING).fill('in'))
  await close()
  await expect(ask()).rejects.toThrow()
})

it('refuses an address that is taken, also one that would be shared', async () => {
  const other = createServer().listen({ port: 0, host: HOST, reusePort: ON_LINUX })
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo
  const app = Fastify()
  await expect(openDoors(app, { port, host: HOST })).rejects.toThrow('EADDRINUSE')
  await app.close()
})
