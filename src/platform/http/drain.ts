import type { IncomingMessage } from 'node:http'

/** A socket delivers up to 2 MB in a turn of the event loop, which delays everything else. */
const AT_ONCE = 2
/** Limits a slow client, so that it does not delay others. */
const TURN_MS = 500

/**
 * Reads and discards the rest of refused bodies, since a client that is still sending may not read its response. Few
 * are read at a time; the others wait in their sockets, and the request timeout closes slow ones.
 */
export function drainInTurn(atOnce = AT_ONCE): (request: IncomingMessage) => void {
  const waiting: IncomingMessage[] = []
  let reading = 0
  function next(): void {
    while (reading < atOnce) {
      const request = waiting.shift()
      if (!request) return
      if (!request.readableEnded && !request.destroyed) read(request)
    }
  }
  function read(request: IncomingMessage): void {
    reading++
    const end = () => {
      clearTimeout(turn)
      request.off('close', end)
      reading--
      next()
    }
    const turn = setTimeout(() => {
      waiting.push(request.pause())
      end()
    }, TURN_MS)
    request.once('close', end).resume()
  }
  return (request) => {
    if (request.complete || request.destroyed) return
    waiting.push(request.on('data', drop).pause()) // with an error listener, the server does not close it
    next()
  }
}

const drop = (): void => {}
