import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { expect, it, onTestFinished, vi } from 'vitest'
import { drainInTurn } from './drain.ts'

const body = () => Object.assign(new PassThrough(), { complete: false }) as unknown as IncomingMessage & PassThrough
const flowing = (bodies: readonly PassThrough[]) => bodies.map((one) => one.readableFlowing === true)

it('a limited number of refused bodies is read at a time, in order, and finished ones are not counted', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const drain = drainInTurn(2)
  const bodies = [body(), body(), body(), body()] as const
  for (const one of bodies) drain(one)
  expect(flowing(bodies)).toEqual([true, true, false, false])
  vi.advanceTimersByTime(1_000) // the slow ones go to the end of the line
  expect(flowing(bodies)).toEqual([true, true, false, false])
  vi.advanceTimersByTime(500)
  expect(flowing(bodies)).toEqual([false, false, true, true])
  bodies[2].emit('close')
  expect(flowing(bodies)).toEqual([true, false, true, true])
  bodies[1].destroy()
  bodies[3].emit('close')
  expect(flowing(bodies)).toEqual([true, false, true, true]) // the third has ended, the second need not be read
})
